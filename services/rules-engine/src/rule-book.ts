import type { Clock } from '@switchyard/base';
import { isTemplate } from '@switchyard/expressions';
import { compileRule, createRuleSet, type CompiledRule, type RuleSet, type TriggerRecord, type TriggerTypeRecord } from '@switchyard/model'; // prettier-ignore
import type { Store } from '@switchyard/storage';
import { sharedRead } from './shared-read';

/** What is known of a trigger: its rules, and the records that executions keep a copy of. */
export interface TriggerPage {
  readonly rules: RuleSet;
  readonly trigger: TriggerRecord | undefined;
  readonly type: TriggerTypeRecord | undefined;
}

/** The enabled rules, ready to be asked. */
export interface RuleBook {
  /** The page of a trigger, with every change of a rule that was complete when this was called. */
  page(trigger: string): Promise<TriggerPage>;
}

export type RuleBookStore = Pick<Store, 'rules' | 'triggers' | 'triggerTypes' | 'revisions'>;

interface Page extends TriggerPage {
  /** By id, with the text they were made from. */
  readonly compiled: ReadonlyMap<string, { readonly text: string; readonly rule: CompiledRule }>;
}

interface Kept {
  readonly revision: number;
  readonly atMs: number;
  /** Read since then. */
  readonly page: Promise<Page>;
}

/**
 * Keeps compiled rules in memory, by trigger. Whether they are still the ones that are stored is asked of the store each
 * time, by the revision that grows with every change of a rule; events that come together share the question, and the
 * reading where there is something to read. A rule that was stored before an event occurred so takes part in it, on every
 * engine, whatever becomes of messages.
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

/** Whoever dies between a change and its revision is made up for after this. */
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
