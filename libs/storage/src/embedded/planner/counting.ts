import { slices } from '@switchyard/base';
import { SPACE_BYTES } from '../engine/document-keys';
import type { KeyRange } from '../engine/environment';
import { isAlternatives, lastingOf, type ParsedFilter } from '../query/parse-filter';
import { collect, matchingRecords, note, type RecordSource } from './matching';
import { exactPlan, type Plan } from './plan';

/** A count above this number is cached, and so is one for which this many documents were read. */
const DEAR = { keys: 20_000, documents: 1000 };

/**
 * Counts the matching documents, without reading them where indexes tell enough.
 * @param text identifies the filter, so that a dear count can be kept
 */
export async function countMatching(source: RecordSource, filter: ParsedFilter, text?: () => string | undefined) {
  if (filter.conditions.length === 0) return countNow(source, filter);
  const lasting = lastingOf(filter.conditions);
  const key = lasting ?? text?.();
  if (key === undefined) return countNow(source, filter);
  const { counts } = source.store;
  const known = counts.of(key);
  if (known !== undefined) return known;
  const keep = counts.begin(key, filter);
  const readBefore = source.stats.documentsExamined;
  let count: number | undefined;
  try {
    return (count = await countNow(source, filter));
  } finally {
    const isDear = (count ?? 0) > DEAR.keys || source.stats.documentsExamined - readBefore > DEAR.documents;
    // A list is read again and again. To count it each time takes longer than to keep its count.
    keep(isDear || lasting ? count : undefined, !isDear);
  }
}

async function countNow(source: RecordSource, filter: ParsedFilter): Promise<number> {
  const counted = countFromIndex(source, filter) ?? (await countAlternatives(source, filter));
  return counted ?? (await collect(matchingRecords(source, { filter }), () => 0)).length;
}

const NOTHING_ELSE = { sort: [], first: undefined } as const;

/** @returns undefined if documents must be read */
function countFromIndex(source: RecordSource, filter: ParsedFilter): number | undefined {
  if (filter.conditions.length === 0) return source.store.count();
  const plan = exactPlan(source.store, filter);
  if (!plan) return undefined;
  note(source, [plan], { filter, ...NOTHING_ELSE });
  return countRanges(source, plan.ranges);
}

/** An alternative of an `$or`, and the ranges of an index that contain exactly its matches. */
interface Part {
  readonly plan: Plan;
  readonly filter: ParsedFilter;
}

/**
 * Counts the documents that match one of several alternatives. The index with the most of them is counted; of the
 * others, documents are read, to leave out those that are counted already. @returns undefined for other filters
 */
async function countAlternatives(source: RecordSource, filter: ParsedFilter): Promise<number | undefined> {
  const parts = partsOf(source, filter);
  if (!parts) return undefined;
  const indexes = [...new Set(parts.map(({ plan }) => plan.index))];
  const byIndex = indexes.map((index) => {
    const group = parts.filter(({ plan }) => plan.index === index);
    const ranges = united(group.flatMap(({ plan }) => plan.ranges));
    return { group, ranges, keys: countRanges(source, ranges) };
  });
  const most = byIndex.reduce((best, other) => (other.keys > best.keys ? other : best));
  const plans = parts.map(({ plan }) => plan);
  note(source, plans, { filter, ...NOTHING_ELSE });
  const isCounted = (document: Parameters<ParsedFilter['matches']>[0]) =>
    most.group.some((part) => part.filter.matches(document));
  const others = new Set<string>();
  const slice = slices();
  for (const { group, ranges } of byIndex.filter((each) => each !== most)) {
    for (const id of ids(source, group, ranges)) {
      const text = id.toString('latin1');
      const document = others.has(text) ? undefined : source.store.get(id);
      source.stats.documentsExamined += document ? 1 : 0;
      if (document && !isCounted(document)) others.add(text);
      if (slice.isOver()) await slice.next();
    }
  }
  return most.keys + others.size;
}

function partsOf({ store }: RecordSource, { conditions }: ParsedFilter): Part[] | undefined {
  const [condition, ...more] = conditions;
  if (!condition || more.length > 0 || !isAlternatives(condition)) return undefined;
  const parts: Part[] = [];
  for (const filter of condition.alternatives) {
    const plan = exactPlan(store, filter);
    if (!plan) return undefined;
    parts.push({ plan, filter });
  }
  return parts;
}

function* ids({ environment }: RecordSource, group: readonly Part[], ranges: readonly KeyRange[]): Generator<Buffer> {
  const isPrimary = group[0]?.plan.index.primary;
  for (const range of ranges) {
    for (const { key, value } of isPrimary ? environment.keys(range) : environment.entries(range))
      yield isPrimary ? key.subarray(SPACE_BYTES) : value;
  }
}

/** The same keys without overlaps. */
function united(ranges: readonly KeyRange[]): KeyRange[] {
  const result: { start: Buffer; end: Buffer }[] = [];
  for (const { start, end } of [...ranges].sort((a, b) => Buffer.compare(a.start, b.start))) {
    const last = result.at(-1);
    if (!last || Buffer.compare(start, last.end) >= 0) result.push({ start, end });
    else if (Buffer.compare(end, last.end) > 0) last.end = end;
  }
  return result;
}

const countRanges = ({ environment }: RecordSource, ranges: readonly KeyRange[]): number =>
  ranges.reduce((sum, range) => sum + environment.count(range), 0);
