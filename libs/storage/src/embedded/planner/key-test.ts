import { SPACE_BYTES } from '../engine/document-keys';
import type { Index } from '../indexes/index-definition';
import type { Condition } from '../query/condition';
import { isAlternatives, type Alternatives } from '../query/parse-filter';
import { fixedBytes, skipValue } from '../values/skip-value';
import { boundsOf } from './bounds';

/**
 * Tells by the key of an entry whether its document matches a condition, so that others need not be read. Keys are given as
 * hexadecimal text.
 */
export interface KeyTest {
  /** @returns undefined if the key does not tell */
  matches(key: string): boolean | undefined;
  /** The document's own key at the end of the key. @returns undefined if the key does not tell */
  idOf(key: string): Buffer | undefined;
  /** The condition that the test fully expresses; absent if documents have to be checked as well. */
  readonly decides?: Condition;
}

/**
 * A test for an `$or` on one field of an index, other than the first one. An index in the order of a list often
 * contains the field that determines who may see a record.
 */
export function keyTestOf(index: Index, conditions: readonly Condition[]): KeyTest | undefined {
  const { fields, record } = index;
  // A key in a unique index does not contain the key of the document.
  if (fields.length < 2 || record.unique || record.multikeyPaths.length > 0) return undefined;
  for (const condition of conditions) {
    if (!isAlternatives(condition)) continue;
    const position = fields.findIndex(({ path }) => isAbout(condition, path));
    const test = position > 0 ? rememberedTest(index, position, condition) : undefined;
    if (test) return test;
  }
  return undefined;
}

const isAbout = ({ alternatives }: Alternatives, path: string): boolean =>
  alternatives.every(({ conditions }) => conditions.some(({ on }) => on?.path === path));

interface Remembered {
  readonly isExact: boolean;
  readonly test: KeyTest | undefined;
}

/** Filters that stay the same have the same conditions in each request. */
const remembered = new WeakMap<Alternatives, WeakMap<Index, Remembered>>();

function rememberedTest(index: Index, position: number, condition: Alternatives): KeyTest | undefined {
  if (!condition.lasts) return testOf(index, position, condition);
  const byIndex = remembered.get(condition) ?? new WeakMap<Index, Remembered>();
  remembered.set(condition, byIndex);
  const known = byIndex.get(index);
  const isExact = index.record.exact;
  if (known?.isExact === isExact) return known.test;
  const test = testOf(index, position, condition);
  byIndex.set(index, { isExact, test });
  return test;
}

function testOf(index: Index, position: number, condition: Alternatives): KeyTest | undefined {
  const field = index.fields[position];
  if (!field) return undefined;
  const ofField = { ...index, fields: [field] };
  const ranges: TextRange[] = [];
  let isExact = true;
  for (const { conditions } of condition.alternatives) {
    const bounds = boundsOf(ofField, conditions);
    if (bounds.points === 0 && !bounds.ranged) return undefined;
    ranges.push(...bounds.ranges.map(({ start, end }) => ({ start: textOf(start), end: textOf(end) })));
    isExact &&= conditions.every((each) => bounds.covered.has(each));
  }
  const isInside = insideOf(ranges);
  return {
    matches(key) {
      const at = startOf(index, position, key);
      return at === undefined ? undefined : isInside(key.slice(at));
    },
    idOf(key) {
      const bytes = Buffer.from(key, 'hex');
      const at = endOf(index, index.fields.length, bytes);
      return at === undefined ? undefined : bytes.subarray(at);
    },
    ...(isExact ? { decides: condition } : {}),
  };
}

const BYTE = 2;

/** Where the value of a field begins in a key, given as text. */
function startOf(index: Index, position: number, key: string): number | undefined {
  let at = SPACE_BYTES * BYTE;
  for (let n = 0; n < position; n += 1) {
    const first = Number.parseInt(key.slice(at, at + BYTE), 16);
    const bytes = fixedBytes(index.fields[n]!.descending ? first ^ 0xff : first);
    if (bytes === undefined) {
      const end = endOf(index, position, Buffer.from(key, 'hex'));
      return end === undefined ? undefined : end * BYTE;
    }
    at += (1 + bytes) * BYTE;
  }
  return at;
}

/** Where the values of the first fields end in a key. */
function endOf({ fields }: Index, count: number, key: Buffer): number | undefined {
  let at: number | undefined = SPACE_BYTES;
  for (let n = 0; n < count && at !== undefined; n += 1) at = skipValue(key, at, fields[n]!.descending);
  return at;
}

const textOf = (bytes: Buffer): string => bytes.toString('hex', SPACE_BYTES).toUpperCase();

interface TextRange {
  readonly start: string;
  end: string;
}

/**
 * Whether a text is in one of some half-open ranges, by binary search. What follows the value in a key does not matter, as in the ranges
 * of an index.
 */
function insideOf(ranges: readonly TextRange[]): (text: string) => boolean {
  const united: TextRange[] = [];
  for (const range of [...ranges].sort((a, b) => (a.start < b.start ? -1 : 1))) {
    const last = united.at(-1);
    if (!last || range.start > last.end) united.push({ ...range });
    else if (range.end > last.end) last.end = range.end;
  }
  return (text) => {
    let [low, high] = [0, united.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (text < united[middle]!.start) high = middle;
      else if (text < united[middle]!.end) return true;
      else low = middle + 1;
    }
    return false;
  };
}
