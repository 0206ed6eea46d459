import { SPACE_BYTES } from '../engine/document-keys';
import type { KeyRange, StoreEntry, StoreEnvironment } from '../engine/environment';
import type { FixedRange } from './bounds';
import type { Plan } from './plan';

/** The key of a document that may match, and what the test of the plan says about it. */
export interface Candidate {
  readonly id: Buffer;
  readonly told: boolean | undefined;
}

/** `undefined` stands for documents that do not match, as their keys tell. */
export type Candidates = Generator<Candidate | undefined, void, undefined>;

/** The candidates of one range, in its order. */
export function* candidates(
  environment: StoreEnvironment,
  { index, test, reverse }: Plan,
  range: KeyRange,
): Candidates {
  if (test) {
    for (const text of environment.keyTexts(range, reverse)) {
      const told = test.matches(text);
      const id = told === false ? undefined : (test.idOf(text) ?? environment.get(Buffer.from(text, 'hex')));
      yield id && { id, told };
    }
    return;
  }
  const entries = index.primary ? environment.keys(range, reverse) : environment.entries(range, reverse);
  for (const { key, value } of entries)
    yield { id: index.primary ? key.subarray(SPACE_BYTES) : value, told: undefined };
}

/** Of most ranges, no more than the first entries are needed. */
const FIRST_ENTRIES = 2;

/** The next entry of a range. */
interface Head {
  readonly entries: Generator<StoreEntry, void, undefined>;
  readonly fixed: number;
  readonly entry: StoreEntry;
  /** What follows the fixed values in the key. It sorts like the values of the other fields. */
  readonly rest: Buffer;
}

/**
 * The candidates of several ranges in the order of the fields that follow their fixed values. Compares keys, so documents of other ranges
 * are not read to find out which one is next.
 */
export function* mergedCandidates(
  environment: StoreEnvironment,
  { test, reverse }: Plan,
  ranges: readonly FixedRange[],
): Candidates {
  const isBefore = (a: Head, b: Head) =>
    (reverse ? Buffer.compare(b.rest, a.rest) : Buffer.compare(a.rest, b.rest)) < 0;
  // The last one is the next.
  const heads: Head[] = [];
  for (const range of ranges) {
    const entries = environment.entries(range, reverse, FIRST_ENTRIES);
    insert(heads, headOf(entries, range.fixed), isBefore);
    yield undefined;
  }
  for (let head = heads.pop(); head; head = heads.pop()) {
    const { entries, fixed, entry } = head;
    const told = test?.matches(entry.key.toString('hex').toUpperCase());
    yield told === false ? undefined : { id: entry.value, told };
    insert(heads, headOf(entries, fixed), isBefore);
  }
}

function headOf(entries: Head['entries'], fixed: number): Head | undefined {
  const next = entries.next();
  if (next.done) return undefined;
  const entry = next.value;
  return { entries, fixed, entry, rest: entry.key.subarray(fixed) };
}

function insert(heads: Head[], head: Head | undefined, isBefore: (a: Head, b: Head) => boolean): void {
  if (!head) return;
  let [low, high] = [0, heads.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(heads[middle]!, head)) high = middle;
    else low = middle + 1;
  }
  heads.splice(low, 0, head);
}
