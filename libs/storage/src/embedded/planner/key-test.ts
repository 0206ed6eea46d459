import { SPACE_BYTES } from '../engine/document-keys';
import type { Index } from '../indexes/index-definition';
import type { Condition } from '../query/condition';
import { isAlternatives, type Alternatives } from '../query/parse-filter';
import { skipValue } from '../values/skip-value';
import { boundsOf } from './bounds';

/** Tells by the key of an entry whether its document matches a condition, so that others need not be read. */
export interface KeyTest {
  /** @returns undefined if the key does not tell */
  matches(key: Buffer): boolean | undefined;
  /** The document's own key at the end of the key. @returns undefined if the key does not tell */
  idOf(key: Buffer): Buffer | undefined;
  /** The condition that the test fully expresses; absent if documents have to be checked as well. */
  readonly decides?: Condition;
}

/**
 * A test for an `$or` about one field of an index that is not its first one. An index in the order of a list often has the field
 * that decides who may see a record.
 */
export function keyTestOf(index: Index, conditions: readonly Condition[]): KeyTest | undefined {
  const { fields, record } = index;
  // The key in a unique index has no document's key.
  if (fields.length < 2 || record.unique || record.multikeyPaths.length > 0) return undefined;
  for (const condition of conditions) {
    if (!isAlternatives(condition)) continue;
    const position = fields.findIndex(({ path }) => isAbout(condition, path));
    const test = position > 0 ? testOf(index, position, condition) : undefined;
    if (test) return test;
  }
  return undefined;
}

const isAbout = ({ alternatives }: Alternatives, path: string): boolean =>
  alternatives.every(({ conditions }) => conditions.some(({ on }) => on?.path === path));

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
  const endOf = (key: Buffer, fields: number): number | undefined => {
    let at: number | undefined = SPACE_BYTES;
    for (let n = 0; n < fields && at !== undefined; n += 1) at = skipValue(key, at, index.fields[n]!.descending);
    return at;
  };
  return {
    matches(key) {
      const at = endOf(key, position);
      const end = at === undefined ? undefined : skipValue(key, at, field.descending);
      return end === undefined ? undefined : isInside(key.toString('latin1', at, end));
    },
    idOf(key) {
      const at = endOf(key, index.fields.length);
      return at === undefined ? undefined : key.subarray(at);
    },
    ...(isExact ? { decides: condition } : {}),
  };
}

/** Bytes as text, which compares in the same order, and faster. */
const textOf = (bytes: Buffer): string => bytes.toString('latin1', SPACE_BYTES);

interface TextRange {
  readonly start: string;
  end: string;
}

/** Whether a text is in one of some half-open ranges, by binary search. */
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
