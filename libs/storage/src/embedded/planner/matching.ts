import type { CollectionStore, Stored } from '../engine/collection-store';
import { encodeId, SPACE_BYTES, spaceRange } from '../engine/document-keys';
import type { Environment, KeyRange } from '../engine/environment';
import type { StoreStats } from '../engine/stats';
import type { Filter } from '../query/parse-filter';
import { compareBy, sortBy, type SortField } from '../query/sort';
import type { Document } from '../values/document';
import { isDamaged } from '../../bson/read-document';
import { choosePlans, type CountKeys, type Need, type Plan } from './plan';

export interface Selection {
  readonly filter: Filter;
  readonly sort?: readonly SortField[];
  readonly skip?: number;
  readonly limit?: number | undefined;
}

/** What reading needs. */
export interface Source {
  readonly environment: Environment;
  readonly store: CollectionStore;
  readonly stats: StoreStats;
}

/** `undefined` stands for some documents that did not fit: a reader may let others have the event loop. */
export type Matches = Generator<Stored | undefined, void, undefined>;

const BREATH = 64;
const LONG_LIST = 500;

/** The documents that fit, in order, without those before `skip` and after `limit`. */
export function* matching(source: Source, selection: Selection): Matches {
  const { skip = 0, limit } = selection;
  let position = 0;
  const end = limit === undefined ? Infinity : skip + limit;
  if (end === 0) return;
  for (const stored of inOrder(source, selection, limit === undefined ? undefined : end)) {
    if (stored === undefined) yield undefined;
    else if (position++ >= skip) yield stored;
    if (position >= end) return;
  }
}

function* inOrder(source: Source, { filter, sort = [] }: Selection, first: number | undefined): Matches {
  const direct = byId(source, filter);
  if (direct !== undefined) {
    if (direct) yield direct;
    return;
  }
  const need = { filter, sort, first };
  const plans = choosePlans(source.store, need, countKeys(source.environment));
  note(source, plans, need);
  if (plans.every(({ sorted }) => sorted) && plans.length <= 1)
    return yield* plans[0] ? fitting(source, plans[0], filter, sort) : [];
  const found: Stored[] = [];
  for (const stored of unordered(source, plans, filter)) {
    if (stored) found.push(stored);
    // A short list is read in one go; a long one has to be read as a whole before it is sorted, but not at once.
    if (!stored || found.length > LONG_LIST) yield undefined;
  }
  yield* sort.length > 0 ? sortBy(found, ({ document }) => document, sort) : found;
}

/** The one document that can fit a filter with a plain `_id`. @returns undefined when the filter has none */
function byId({ store, stats }: Source, filter: Filter): Stored | null | undefined {
  const on = filter.conditions.find((condition) => condition.on?.path === '_id' && condition.on.operator === '$eq')?.on;
  if (!on || Array.isArray(on.operand)) return undefined;
  const id = encodeId(on.operand);
  const document = store.get(id);
  stats.documentsExamined += document ? 1 : 0;
  stats.lastPlan = { collection: store.name, indexes: ['_id_'], sorted: true };
  return document && filter.matches(document) ? { id, document } : null;
}

function note({ store, stats }: Source, plans: readonly Plan[], { filter, sort, first }: Need): void {
  const sorted = plans.every((plan) => plan.sorted);
  const stopsEarly = sorted && sort.length > 0 && first !== undefined;
  const scan = plans.some((plan) => plan.scan) && ((filter.conditions.length > 0 && !stopsEarly) || !sorted);
  if (scan) stats.scans += 1;
  const indexes = scan ? [] : [...new Set(plans.map(({ index }) => index.record.name))];
  stats.lastPlan = { collection: store.name, indexes, sorted };
}

const countKeys =
  (environment: Environment): CountKeys =>
  (ranges, cap) => {
    let count = 0;
    for (const range of ranges) {
      count += environment.countUpTo(range, cap - count);
      if (count >= cap) break;
    }
    return count;
  };

function* unordered(source: Source, plans: readonly Plan[], filter: Filter): Matches {
  const seen = new Set<string>();
  for (const plan of plans) {
    for (const stored of plan.ranges.length === 0 ? [] : documents(source, plan, plan.ranges, seen, filter))
      yield stored;
  }
}

/** The documents of one plan whose ranges are in order. */
function* fitting(source: Source, plan: Plan, filter: Filter, sort: readonly SortField[]): Matches {
  const seen = new Set<string>();
  if (plan.ranges.length === 1 || sort.length === 0) return yield* documents(source, plan, plan.ranges, seen, filter);
  yield* merged(
    plan.ranges.map((range) => documents(source, plan, [range], seen, filter)),
    sort,
  );
}

/** Merges streams that are in order. */
function* merged(streams: readonly Matches[], sort: readonly SortField[]): Matches {
  const compare = compareBy(sort);
  const heads = streams.map((stream) => ({ stream, head: nextOf(stream) })).filter(hasHead);
  while (heads.length > 0) {
    const first = heads.reduce((best, other) => (compare(other.head.document, best.head.document) < 0 ? other : best));
    yield first.head;
    const head = nextOf(first.stream);
    if (head) first.head = head;
    else heads.splice(heads.indexOf(first), 1);
  }
}

const hasHead = <T extends { head: Stored | undefined }>(item: T): item is T & { head: Stored } =>
  item.head !== undefined;

function nextOf(stream: Matches): Stored | undefined {
  for (;;) {
    const { value, done } = stream.next();
    if (done || value) return value ?? undefined;
  }
}

function* documents(
  { environment, store, stats }: Source,
  plan: Plan,
  ranges: readonly KeyRange[],
  seen: Set<string>,
  filter: Filter,
): Matches {
  let misses = 0;
  for (const range of plan.reverse ? [...ranges].reverse() : ranges) {
    // A document is read when its turn comes: many at once may be more than there is memory for.
    const found = plan.index.primary ? environment.keys(range, plan.reverse) : environment.entries(range, plan.reverse);
    for (const { key, value } of found) {
      const id = plan.index.primary ? key.subarray(SPACE_BYTES) : value;
      stats.keysExamined += 1;
      if (plan.repeats && !isNew(seen, id)) continue;
      const document = store.get(id);
      stats.documentsExamined += 1;
      if (document && (isExact(plan, filter, document) || filter.matches(document))) yield { id, document };
      else if (++misses % BREATH === 0) yield undefined;
    }
  }
}

/** An index knows a document that cannot be read any more: nothing but the keys of the index says that it fits. */
const isExact = (plan: Plan, filter: Filter, document: Document): boolean =>
  plan.exact && (filter.conditions.length === 0 || !isDamaged(document));

function isNew(seen: Set<string>, id: Buffer): boolean {
  const text = id.toString('latin1');
  if (seen.has(text)) return false;
  seen.add(text);
  return true;
}

/** How many documents fit, from an index alone when that is possible; undefined when documents have to be looked at. */
export function countFromIndex(source: Source, filter: Filter): number | undefined {
  if (filter.conditions.length === 0) return source.store.count();
  if (filter.conditions.some(({ on }) => on?.path === '_id' && on.operator === '$eq')) return undefined;
  const need = { filter, sort: [], first: undefined };
  const plans = choosePlans(source.store, need, countKeys(source.environment));
  const [plan] = plans;
  if (!plan) return 0;
  if (plans.length > 1 || !plan.exact) return undefined;
  note(source, plans, need);
  return plan.ranges.reduce((sum, range) => sum + source.environment.count(range), 0);
}

/** Every document of a collection. */
export function* everything({ environment, store }: Source): Generator<Stored, void, undefined> {
  const [primary] = store.indexes;
  if (!primary) return;
  for (const { key } of environment.keys(spaceRange(primary.record.space))) {
    const id = key.subarray(SPACE_BYTES);
    const document = store.get(id);
    if (document) yield { id, document };
  }
}

/** Runs a selection without blocking the event loop for long. */
export async function collect<T>(matches: Matches, convert: (stored: Stored) => T): Promise<T[]> {
  const results: T[] = [];
  let since = performance.now();
  let count = 0;
  for (const stored of matches) {
    if (stored) results.push(convert(stored));
    if ((++count & 15) === 0 && performance.now() - since > LONGEST_TURN_MS) {
      await new Promise(setImmediate);
      since = performance.now();
    }
  }
  return results;
}

const LONGEST_TURN_MS = 5;

/** The first document that fits. */
export function firstMatch(source: Source, selection: Selection): Stored | undefined {
  return nextOf(matching(source, { ...selection, limit: 1 }));
}

/** Everything that fits, at once: what a write needs. */
export function allMatches(source: Source, selection: Selection): Stored[] {
  return Array.from(matching(source, selection)).filter((stored) => stored !== undefined);
}
