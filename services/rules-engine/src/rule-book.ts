import type { Clock } from '@switchyard/base';
import { isTemplate, type DatastoreKey } from '@switchyard/expressions';
import {
  compileRule,
  createRuleSet,
  type CompiledRule,
  type RuleSet,
  type TriggerRecord,
  type TriggerTypeRecord,
} from '@switchyard/model';
import type { Store } from '@switchyard/storage';

/** What the engine knows about a trigger: its rules, and the records that executions copy. */
export interface TriggerPage {
  readonly rules: RuleSet;
  readonly trigger: TriggerRecord | undefined;
  readonly type: TriggerTypeRecord | undefined;
}

/** The enabled rules, compiled. */
export interface RuleBook {
  /** Returns the entry of a trigger, with every change of a rule that was complete at the time of the call. */
  page(trigger: string): Promise<TriggerPage>;
}

type RuleBookStore = Pick<Store, 'rules' | 'triggers' | 'triggerTypes' | 'revisions'>;

interface Page extends TriggerPage {
  /** By id, with the text they were compiled from. */
  readonly compiled: ReadonlyMap<string, { readonly text: string; readonly rule: CompiledRule }>;
}

interface Kept {
  readonly revision: number;
  readonly atMs: number;
  /** The reads since then. */
  readonly page: Promise<Page>;
}

/**
 * Caches compiled rules in memory, by trigger. Each lookup reads the revision that grows with every change of a rule;
 * concurrent events share this query, and the read of the rules if something has changed. So a rule that was stored
 * before an event occurred takes part in it, on every engine, even if messages are lost.
 */
export function createRuleBook(store: RuleBookStore, clock: Clock): RuleBook {
  const pages = new Map<string, Kept>();
  const revisionNow = sharedRead(() => store.revisions.of('rules'));
  const keep = (trigger: string, kept: Kept) => {
    pages.delete(trigger);
    pages.set(trigger, kept);
    kept.page.catch(() => pages.get(trigger) === kept && pages.delete(trigger));
    if (pages.size > MOST_PAGES) pages.delete(pages.keys().next().value as string);
  };
  return {
    async page(trigger) {
      const revision = await revisionNow();
      const known = pages.get(trigger);
      const atMs = clock.monotonicMs();
      if (known?.revision === revision && atMs - known.atMs < FRESH_MS) return known.page;
      const page = read(store, trigger, known?.page);
      keep(trigger, { revision, atMs, page });
      return page;
    },
  };
}

/** After this time the book is read again, in case a process died between a change and its revision. */
const FRESH_MS = 10_000;
const MOST_PAGES = 10_000;

async function read(
  { rules, triggers, triggerTypes }: RuleBookStore,
  ref: string,
  former: Promise<Page> | undefined,
): Promise<Page> {
  const known = await former?.catch(() => undefined);
  const records = await rules.list({ filter: { trigger: ref, enabled: true }, sort: { _id: 1 } });
  const compiled = new Map(
    records.map((record) => {
      const text = JSON.stringify(record);
      const before = known?.compiled.get(record._id);
      return [record._id, before?.text === text ? before : { text, rule: compileRule(record, isTemplate) }];
    }),
  );
  const trigger = await triggers.byKey(ref);
  return {
    compiled,
    rules: createRuleSet([...compiled.values()].map(({ rule }) => rule)),
    trigger,
    type: trigger && (await triggerTypes.byKey(trigger.type)),
  };
}

type Lookup = (key: DatastoreKey) => Promise<string | undefined>;

const MOST_ITEMS = 1000;

/**
 * Shares reads of the datastore between concurrent events. Each event still gets a value that was read after its
 * request. Decrypted values are not shared, so they are not kept in memory.
 */
export function sharedLookup(lookup: Lookup): Lookup {
  const reads = new Map<string, () => Promise<string | undefined>>();
  return (key) => {
    if (key.decrypt) return lookup(key);
    const id = `${key.scope}/${key.name}`;
    const known = reads.get(id);
    if (known) return known();
    // Sharing less for a moment is harmless; keeping every name that was ever requested would not be.
    if (reads.size >= MOST_ITEMS) reads.clear();
    const read = sharedRead(() => lookup(key));
    reads.set(id, read);
    return read();
  };
}

/**
 * Shares reads between callers. Each caller gets the result of a read that began after its call, and only one read runs
 * at a time.
 */
function sharedRead<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  const begin = async (before: Promise<unknown>): Promise<T> => {
    await before.catch(() => undefined);
    running = next ?? running;
    next = undefined;
    return read();
  };
  return () => (next ??= begin(running));
}
