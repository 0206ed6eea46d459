import { SPACE_BYTES } from '../engine/document-keys';
import type { Index } from '../indexes/index-definition';
import type { Condition } from '../query/condition';
import { isAlternatives, lastingOf, type Alternatives } from '../query/parse-filter';
import { fixedBytes, skipValue } from '../values/skip-value';
import { boundsOf } from './bounds';
import { lastingFindings } from './lasting-findings';

/**
 * Tells by the key of an entry whether its document matches some conditions, so that others need not be read. Keys are given as
 * hexadecimal text.
 */
export interface KeyTest {
  /** @returns undefined if the key does not tell */
  matches(key: string): boolean | undefined;
  /** The document's own key at the end of the key. @returns undefined if the key does not tell */
  idOf(key: string): Buffer | undefined;
  /** The conditions that the test fully expresses; the others have to be checked as well. */
  readonly decides: readonly Condition[];
}

/**
 * A test for an `$or` on one field of an index, other than the first one, or for the plain conditions of a filter that is used again and
 * again. An index in the order of a list often contains the field that determines who may see a record.
 */
export function keyTestOf(index: Index, conditions: readonly Condition[]): KeyTest | undefined {
  const { fields, record } = index;
  // A key in a unique index does not contain the key of the document.
  if (fields.length < 2 || record.unique || record.multikeyPaths.length > 0) return undefined;
  for (const condition of conditions) {
    if (!isAlternatives(condition)) continue;
    const position = fields.findIndex(({ path }) => isAbout(condition, path));
    if (position <= 0) continue;
    const alternatives = condition.alternatives.map((alternative) => alternative.conditions);
    const find = () => testOf(index, position, { alternatives, of: [condition] });
    const test = knownTest(condition.lasting && condition, index, find);
    if (test) return test;
  }
  return plainTest(index, conditions);
}

/** For other filters, preparing a test takes longer than it saves. */
function plainTest(index: Index, conditions: readonly Condition[]): KeyTest | undefined {
  const plain = conditions.filter(({ on, lasting }) => on && lasting);
  const [first] = plain;
  if (!first?.on || !plain.every(({ on }) => on?.path === first.on?.path)) return undefined;
  const position = index.fields.findIndex(({ path }) => path === first.on?.path);
  if (position <= 0) return undefined;
  return knownTest(lastingOf(plain), index, () => testOf(index, position, { alternatives: [plain], of: plain }));
}

const isAbout = ({ alternatives }: Alternatives, path: string): boolean =>
  alternatives.every(({ conditions }) => conditions.some(({ on }) => on?.path === path));

const knownTest = lastingFindings<KeyTest | undefined>();

/** What a test is for. */
interface Tested {
  /** One of these has to match. */
  readonly alternatives: readonly (readonly Condition[])[];
  /** The conditions that require this. */
  readonly of: readonly Condition[];
}

function testOf(index: Index, position: number, { alternatives, of }: Tested): KeyTest | undefined {
  const field = index.fields[position];
  if (!field) return undefined;
  const ofField = { ...index, fields: [field] };
  const ranges: TextRange[] = [];
  let isExact = true;
  for (const conditions of alternatives) {
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
    decides: isExact ? of : [],
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
