import type { CollectionStore } from '../engine/collection-store';
import type { KeyRange } from '../engine/environment';
import type { Index } from '../indexes/index-definition';
import type { Condition } from '../query/condition';
import { isAlternatives, type ParsedFilter } from '../query/parse-filter';
import type { SortField } from '../query/sort';
import { applies, impliedByIndex } from './applies';
import { boundsOf, type Bounds, type FixedRange } from './bounds';
import { keyTestOf, type KeyTest } from './key-test';

/** How to find the candidates for a filter: ranges of one index. */
export interface Plan {
  readonly index: Index;
  readonly ranges: readonly FixedRange[];
  readonly reverse: boolean;
  /** The documents come in the requested order within each range. */
  readonly sorted: boolean;
  /** The ranges contain exactly the matching documents, each once. */
  readonly exact: boolean;
  /** Entries that fail it need not be read. */
  readonly test?: KeyTest | undefined;
  /** The ranges and the test together select exactly the matching documents, if the test can decide. */
  readonly decided: boolean;
  /** The conditions that hold for every document in the ranges. */
  readonly covered: ReadonlySet<Condition>;
  /** A document may appear more than once. */
  readonly repeats: boolean;
  /** Each range contains one key at most. */
  readonly unique: boolean;
  /** A full scan: nothing narrows the candidates. */
  readonly scan: boolean;
}

export interface Need {
  readonly filter: ParsedFilter;
  readonly sort: readonly SortField[];
  /** The maximum number of documents, including skipped ones. */
  readonly first: number | undefined;
}

/** Counts the keys in some ranges, up to a bound. */
export type CountKeys = (ranges: readonly KeyRange[], cap: number) => number;

/** Chooses one plan, or several whose union answers an `$or`. Undefined when the collection is empty. */
export function choosePlans(store: CollectionStore, need: Need, countKeys: CountKeys): readonly Plan[] {
  const candidates = store.indexes.flatMap((index) => candidate(index, need) ?? []);
  const best = cheapest(candidates, need, countKeys, store);
  if (!best) return [];
  const hopeless = best.scan && (need.sort.length === 0 || !best.sorted || isRare(store, need, countKeys));
  return (hopeless && union(store, need, countKeys)) || [best];
}

/** In collections with fewer documents than this per item of a page, reading in order is fast enough. */
const MANY = 100;
/** The cost of reading and sorting a document, relative to skipping an entry in order. */
const SORTING = 5;

/** Whether so few documents match an `$or` that sorting all of them is cheaper than finding the first ones in order. */
function isRare(store: CollectionStore, { filter, first }: Need, countKeys: CountKeys): boolean {
  const alternatives = filter.conditions.find(isAlternatives)?.alternatives;
  const total = store.count();
  if (!alternatives || first === undefined || total < MANY * first) return false;
  // In order, the first documents are found among `first * total / matching` entries.
  const most = Math.sqrt((first * total) / SORTING);
  let matching = 0;
  for (const alternative of alternatives) {
    const plan = exactPlan(store, alternative);
    if (!plan) return false;
    matching += countKeys(plan.ranges, Math.ceil(most - matching));
    if (matching >= most) return false;
  }
  return true;
}

/** A plan with ranges that contain exactly the matching documents, each once. Any such plan can be used for a count. */
export function exactPlan(store: CollectionStore, filter: ParsedFilter): Plan | undefined {
  const need = { filter, sort: [], first: undefined };
  for (const index of store.indexes) {
    // Only the values of leading fields make ranges exact.
    if (!isAboutFirst(index, filter.conditions)) continue;
    const plan = candidate(index, need);
    if (plan?.exact && !plan.scan) return plan;
  }
  return undefined;
}

/** One plan for each alternative of an `$or`, if each has an index. */
function union(store: CollectionStore, need: Need, countKeys: CountKeys): readonly Plan[] | undefined {
  const condition = need.filter.conditions.find(isAlternatives);
  const plans = condition?.alternatives.map((filter) =>
    choosePlans(store, { filter, sort: [], first: undefined }, countKeys),
  );
  if (!plans || plans.some((parts) => parts.some(({ scan }) => scan))) return undefined;
  return plans.flat().map((plan) => ({ ...plan, sorted: false, exact: false, decided: false, repeats: true }));
}

function candidate(index: Index, { filter, sort }: Need): Plan | undefined {
  const { conditions } = filter;
  if (isUseless(index, conditions, sort) || !applies(index, conditions)) return undefined;
  const bounds = boundsOf(index, conditions);
  const order = sortOrder(index, bounds, sort);
  const narrowed = bounds.points > 0 || bounds.ranged || Boolean(index.record.sparse ?? index.partial);
  if (!narrowed && !index.primary && order === undefined) return undefined;
  const repeats = index.record.multikeyPaths.length > 0;
  const implied = conditions.filter((condition) => impliedByIndex(index, condition));
  const covered = implied.length > 0 ? new Set([...bounds.covered, ...implied]) : bounds.covered;
  const exact = !repeats && conditions.every((condition) => covered.has(condition));
  const test = exact ? undefined : keyTestOf(index, conditions);
  return {
    index,
    test,
    ranges: bounds.ranges,
    reverse: order === 'reverse',
    sorted: order !== undefined,
    exact,
    decided: exact || (!repeats && conditions.every((each) => covered.has(each) || test?.decides.includes(each))),
    covered,
    repeats,
    unique: Boolean(index.record.unique) && bounds.points === index.fields.length,
    scan: !narrowed,
  };
}

/** Most indexes are unrelated to a filter and its order, and can be skipped quickly. */
const isUseless = (
  { primary, fields, record, partial }: Index,
  conditions: readonly Condition[],
  sort: readonly SortField[],
): boolean =>
  !primary &&
  !record.sparse &&
  !partial &&
  !isAboutFirst({ fields }, conditions) &&
  (sort.length === 0 || sort[0]?.path !== fields[0]?.path);

const isAboutFirst = ({ fields }: Pick<Index, 'fields'>, conditions: readonly Condition[]): boolean =>
  conditions.some(({ on }) => on?.path === fields[0]?.path);

/** Whether the index yields the requested order, read forwards or backwards. */
function sortOrder(
  index: Index,
  { points, ranges }: Bounds,
  sort: readonly SortField[],
): 'forward' | 'reverse' | undefined {
  if (sort.length === 0) return 'forward';
  const { exact, multikeyPaths } = index.record;
  const held = new Set(ranges.length === 1 ? heldPaths(index, points) : []);
  const wanted = sort.filter(({ path }) => !held.has(path));
  const from = index.fields.slice(ranges.length === 1 ? points : firstVaried(index, points, sort));
  if (wanted.length > from.length) return wanted.length === 0 ? 'forward' : undefined;
  const turned = wanted.map((field, i) =>
    from[i]?.path === field.path ? from[i].descending !== field.descending : undefined,
  );
  if (turned.some((turn) => turn === undefined || turn !== turned[0])) return undefined;
  if (wanted.some(({ path }) => multikeyPaths.includes(path)) || (wanted.length > 0 && !exact)) return undefined;
  return turned[0] ? 'reverse' : 'forward';
}

/** Paths with one value in all documents of a range. A document with an array there sorts by another element. */
const heldPaths = ({ fields, record }: Index, points: number): string[] =>
  fields.slice(0, points).flatMap(({ path }) => (record.multikeyPaths.includes(path) ? [] : path));

/** Each range is in order after its fixed values. A sort by the first fixed value needs no merging. */
function firstVaried(index: Index, points: number, sort: readonly SortField[]): number {
  return sort[0]?.path === index.fields[0]?.path ? 0 : points;
}

const COUNT_CAP = 200;
/** The cost of reading a document only to discard it, relative to skipping an entry in order. */
const UNKNOWN_SELECTIVITY = 20;
/** The same if entries show which documents to discard. */
const KNOWN_FROM_KEYS = 5;

/** The candidate that reads the fewest documents, estimated by counting keys up to a bound. */
function cheapest(
  candidates: readonly Plan[],
  need: Need,
  countKeys: CountKeys,
  store: CollectionStore,
): Plan | undefined {
  // Without an order, a scan reads all that another plan reads, and more.
  const narrow = candidates.filter((plan) => !plan.scan || (plan.sorted && need.sort.length > 0));
  const choice = narrow.length > 0 ? narrow : candidates;
  // Counting keys to estimate a cost takes as long as reading some documents.
  if (choice.length <= 1) return choice[0];
  const one = choice.find(({ unique, ranges }) => unique && ranges.length === 1);
  if (one) return one;
  const costs = choice.map((plan) => ({
    plan,
    cost: costOf(plan, need, countKeys, store),
  }));
  return costs.reduce((best, other) => (other.cost < best.cost ? other : best)).plan;
}

function costOf(plan: Plan, { sort, first }: Need, countKeys: CountKeys, store: CollectionStore): number {
  const keys = plan.scan ? store.count() : keysOf(plan, countKeys, store);
  const stopsEarly = first !== undefined && plan.sorted;
  if (!stopsEarly) return keys * (sort.length > 0 && !plan.sorted ? 1.2 : 1) + (plan.exact ? 0 : 0.5);
  if (plan.exact) return Math.min(keys, first);
  return Math.min(keys, first * (plan.test ? KNOWN_FROM_KEYS : UNKNOWN_SELECTIVITY)) + 0.5;
}

/** Assumes a tenth of the collection if there are too many to count. */
function keysOf({ unique, ranges }: Plan, countKeys: CountKeys, store: CollectionStore): number {
  const counted = unique && ranges.length < COUNT_CAP ? ranges.length : countKeys(ranges, COUNT_CAP);
  return counted < COUNT_CAP ? counted : Math.max(counted, store.count() / 10);
}
