import { KIB, slices, type Slices } from '@switchyard/base';
import type { CollectionStore, Stored } from '../engine/collection-store';
import { hasDecodedLarge } from '../engine/decoded-this-turn';
import { encodeId, SPACE_BYTES, spaceRange } from '../engine/document-keys';
import type { StoreEnvironment, KeyRange } from '../engine/environment';
import type { StoreStats } from '../engine/stats';
import type { ParsedFilter } from '../query/parse-filter';
import type { SortField } from '../query/sort';
import type { Document } from '../values/document';
import { isDamaged } from '../../bson/read-document';
import { candidates, mergedCandidates, type Candidates } from './candidates';
import { choosePlans, type CountKeys, type Need, type Plan } from './plan';
import { sortedMatches } from './sorted-matches';

export interface Selection {
  readonly filter: ParsedFilter;
  readonly sort?: readonly SortField[];
  readonly skip?: number;
  readonly limit?: number | undefined;
  /** Do not keep the documents in the cache. */
  readonly once?: boolean;
}

/** The dependencies of a read. */
export interface RecordSource {
  readonly environment: StoreEnvironment;
  readonly store: CollectionStore;
  readonly stats: StoreStats;
  /** All cursors of the store share it: hundreds of them count as one piece of divided work, so that a single read need
   * not wait for each of them. */
  readonly slice: Slices;
}

/** `undefined` stands for documents that did not match or were skipped, so that a reader can yield to the event loop. */
export type Matches = Generator<Stored | undefined, void, undefined>;

/** How many matching documents remain to be skipped. */
interface Skipping {
  left: number;
}

/** A reader may yield after this many documents that did not match, or after one of them that took long to decode. */
const BREATH = 16;
const BREATH_BYTES = 256 * KIB;
/** A reader may yield after skipping this many keys: up to half a millisecond in an index, and 6 ms among documents. */
const SKIPPED_AT_ONCE = 4000;
/** A key with this byte added is the next possible key. */
const NEXT = Buffer.of(0);
/** A read of more documents than this does not use the cache, which is kept for documents that are read one at a
 * time. */
const KEPT_DOCUMENTS = 200;

/** The matching documents, in order, between `skip` and `limit`. */
export function* matchingRecords(source: RecordSource, selection: Selection): Matches {
  const { skip = 0, limit = Infinity } = selection;
  const skipping = { left: skip };
  let left = limit;
  if (left === 0) return;
  for (const stored of inOrder(source, selection, skipping)) {
    if (stored === undefined) yield undefined;
    else if (skipping.left > 0) {
      skipping.left -= 1;
      yield undefined;
    } else {
      yield stored;
      if (--left === 0) return;
    }
  }
}

function* inOrder(
  source: RecordSource,
  { filter, sort = [], skip = 0, limit, once = false }: Selection,
  skipping: Skipping,
): Matches {
  const ids = idsOf(filter);
  if (ids && (ids.length === 1 || sort.length === 0)) return yield* withIds(source, ids, filter);
  const need = { filter, sort, first: limit === undefined ? undefined : skip + limit };
  const plans = choosePlans(source.store, need, countKeys(source.environment));
  note(source, plans, need);
  if (plans.every(({ sorted }) => sorted) && plans.length <= 1)
    return yield* plans[0] ? fitting(source, plans[0], { filter, sort, once }, skipping) : [];
  const found = unordered(source, plans, { filter, once });
  yield* sort.length > 0 ? sortedMatches(source.store, found, { filter, sort }) : found;
}

/** Above this number, an index may be faster. */
const MOST_IDS = 1000;

/** The keys of the only possible matches of a filter, in order; undefined if the filter does not determine them. */
function idsOf({ conditions }: ParsedFilter): readonly Buffer[] | undefined {
  const isPlain = (operand: unknown) => !Array.isArray(operand) && !(operand instanceof RegExp);
  for (const { on } of conditions) {
    if (on?.path !== '_id') continue;
    if (on.operator === '$eq' && isPlain(on.operand)) return [encodeId(on.operand)];
    if (on.operator !== '$in') continue;
    const operands = on.operand as readonly unknown[];
    if (operands.length > MOST_IDS || !operands.every(isPlain)) continue;
    const ids = new Map(operands.map((operand) => encodeId(operand)).map((id) => [id.toString('latin1'), id]));
    return [...ids.values()].sort((a, b) => Buffer.compare(a, b));
  }
  return undefined;
}

function* withIds({ store, stats }: RecordSource, ids: readonly Buffer[], filter: ParsedFilter): Matches {
  stats.lastPlan = { collection: store.name, indexes: ['_id_'], sorted: true };
  const misses = new Misses(store);
  for (const id of ids) {
    const document = store.get(id);
    stats.documentsExamined += document ? 1 : 0;
    if (document && filter.matches(document)) yield { id, document };
    else if (misses.add()) yield undefined;
  }
}

/** Counts the documents that were read in vain. */
class Misses {
  #count = 0;
  #bytes: number;

  constructor(private readonly store: CollectionStore) {
    this.#bytes = store.bytesDecoded;
  }

  /** @returns whether the reader should be able to yield now */
  add(): boolean {
    const { bytesDecoded } = this.store;
    if (++this.#count % BREATH > 0 && bytesDecoded - this.#bytes < BREATH_BYTES) return false;
    this.#bytes = bytesDecoded;
    return true;
  }
}

/** Remembers the plan of a query, for tests and statistics. */
export function note({ store, stats }: RecordSource, plans: readonly Plan[], { filter, sort, first }: Need): void {
  const sorted = plans.every((plan) => plan.sorted);
  const stopsEarly = sorted && sort.length > 0 && first !== undefined;
  const scan = plans.some((plan) => plan.scan) && ((filter.conditions.length > 0 && !stopsEarly) || !sorted);
  if (scan) stats.scans += 1;
  const indexes = scan ? [] : [...new Set(plans.map(({ index }) => index.record.name))];
  stats.lastPlan = { collection: store.name, indexes, sorted };
}

const countKeys =
  (environment: StoreEnvironment): CountKeys =>
  (ranges, cap) => {
    let count = 0;
    for (const range of ranges) {
      count += environment.countUpTo(range, cap - count);
      if (count >= cap) break;
    }
    return count;
  };

function* unordered(source: RecordSource, plans: readonly Plan[], selection: Selection): Matches {
  const seen = new Set<string>();
  for (const plan of plans) {
    for (const stored of plan.ranges.length === 0 ? [] : documents(source, plan, plan.ranges, seen, selection))
      yield stored;
  }
}

/** The documents of one plan whose ranges are in order. */
function* fitting(source: RecordSource, plan: Plan, selection: Selection, skipping: Skipping): Matches {
  const { sort = [] } = selection;
  const seen = new Set<string>();
  // Ranges are in the order of the index, so a sort that begins with its first field reads them one after the other.
  const isInOrder = plan.ranges.length === 1 || sort.length === 0 || sort[0]?.path === plan.index.fields[0]?.path;
  if (isInOrder) return yield* documents(source, plan, plan.ranges, seen, selection, skipping);
  yield* readerOf(source, plan, selection, seen)(mergedCandidates(source.environment, plan, plan.ranges));
}

function nextOf(stream: Matches): Stored | undefined {
  for (;;) {
    const { value, done } = stream.next();
    if (done || value) return value ?? undefined;
  }
}

function* documents(
  source: RecordSource,
  plan: Plan,
  ranges: readonly KeyRange[],
  seen: Set<string>,
  selection: Selection,
  skipping: Skipping = { left: 0 },
): Matches {
  const { environment } = source;
  const read = readerOf(source, plan, selection, seen);
  // If every document matches, skipped ones need not be read. They may be many and large.
  const skipsKeys = selection.filter.conditions.length === 0 && !plan.repeats;
  for (const all of plan.reverse ? [...ranges].reverse() : ranges) {
    const range = skipsKeys ? yield* rest(environment, all, plan.reverse, skipping) : all;
    yield* read(candidates(environment, plan, range));
  }
}

/** @param seen the documents that were found before */
function readerOf(
  { store, stats }: RecordSource,
  plan: Plan,
  { filter, once = false }: Selection,
  seen: Set<string>,
): (found: Candidates) => Matches {
  const misses = new Misses(store);
  const kept = once ? 0 : KEPT_DOCUMENTS;
  let read = 0;
  // Documents are read one at a time, because together they may not fit into memory.
  return function* (found) {
    for (const candidate of found) {
      stats.keysExamined += 1;
      if (!candidate) {
        if (misses.add()) yield undefined;
        continue;
      }
      const { id, told } = candidate;
      if (plan.repeats && !isNew(seen, id)) continue;
      const document = store.get(id, ++read <= kept);
      stats.documentsExamined += 1;
      if (document && fits(plan, filter, document, told)) yield { id, document };
      else if (misses.add()) yield undefined;
    }
  };
}

/** The rest of a range after the keys to be skipped, which SQLite counts without returning them. */
function* rest(
  environment: StoreEnvironment,
  range: KeyRange,
  reverse: boolean,
  skipping: Skipping,
): Generator<undefined, KeyRange, undefined> {
  let { start, end } = range;
  while (skipping.left > 0) {
    const skipped = Math.min(skipping.left, SKIPPED_AT_ONCE);
    const last = environment.keyAfter({ start, end }, skipped - 1, reverse);
    if (!last) {
      skipping.left -= environment.count({ start, end });
      return { start, end: start };
    }
    skipping.left -= skipped;
    if (reverse) end = last;
    else start = Buffer.concat([last, NEXT]);
    yield undefined;
  }
  return { start, end };
}

/** @param told the result of the plan's test of the document's key */
function fits(plan: Plan, filter: ParsedFilter, document: Document, told: boolean | undefined): boolean {
  const { conditions } = filter;
  if (conditions.length === 0) return true;
  if (!isDamaged(document)) return plan.exact || (plan.decided && told === true) || filter.matches(document);
  return filter.asksForDamaged
    ? conditions.every((condition) => plan.covered.has(condition) || condition.holds(document))
    : filter.matches(document);
}

function isNew(seen: Set<string>, id: Buffer): boolean {
  const text = id.toString('latin1');
  if (seen.has(text)) return false;
  seen.add(text);
  return true;
}

/** Every document of a collection. */
export function* everything({
  environment,
  store,
}: Pick<RecordSource, 'environment' | 'store'>): Generator<Stored, void, undefined> {
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
  const slice = slices();
  if (hasDecodedLarge()) await slice.pause();
  for (const stored of matches) {
    if (stored) results.push(convert(stored));
    if (slice.isOver()) await slice.next();
  }
  return results;
}

/** The first matching document. */
export function firstMatch(source: RecordSource, selection: Selection): Stored | undefined {
  return nextOf(matchingRecords(source, { ...selection, limit: 1 }));
}

/** All matching documents at once, for writes. */
export function allMatches(source: RecordSource, selection: Selection): Stored[] {
  return Array.from(matchingRecords(source, selection)).filter((stored) => stored !== undefined);
}
