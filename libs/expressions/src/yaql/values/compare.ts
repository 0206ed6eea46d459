import { textOrder } from '@switchyard/model';
import { Float, asNumber, compareInts, isInt, numeric } from '../../jinja/values/number';
import { DateTime } from './date-time';
import { isSetLike } from './kinds';
import { TimeSpan } from './time-span';
import { budget, recursionExceeded } from '../run/budget';
import { type DictLike, yaqlDictEntries, yaqlDictGet, yaqlDictSize, isYaqlDict } from './dict';
import { PlainList, SetValue, type View } from './collections';
import { RegexValue } from './regex-value';

type YaqlComparison = '<' | '<=' | '>' | '>=';

/**
 * Compares two values. Null is below everything; otherwise numbers, texts (by code point), sets (as subsets), moments
 * and time spans compare with their own kind. Undefined if the two cannot be compared.
 */
export function compareYaql(a: unknown, b: unknown, operator: YaqlComparison): boolean | undefined {
  if (a === null || b === null) return compareNull(a === null, b === null, operator);
  if (typeof a === 'number' && typeof b === 'number') return holds(a, b, operator);
  if (typeof a === 'string') return typeof b === 'string' ? holds(textOrder(a, b), 0, operator) : undefined;
  const [x, y] = [magnitude(a), magnitude(b)];
  if (x !== undefined) return y === undefined ? undefined : holds(x, y, operator);
  if (a instanceof DateTime) return b instanceof DateTime ? holds(a.utcMicros, b.utcMicros, operator) : undefined;
  if (a instanceof TimeSpan) return b instanceof TimeSpan ? holds(a.micros, b.micros, operator) : undefined;
  if (!isSetLike(a) || !isSetLike(b)) return undefined;
  const [inner, outer] = operator.startsWith('<') ? [a, b] : [b, a];
  return (operator.endsWith('=') || inner.size < outer.size) && isSubset(inner, outer);
}

/** JavaScript compares numbers with bigints exactly. */
function holds<T extends number | bigint>(a: T, b: T, operator: YaqlComparison): boolean {
  if (operator === '<') return a < b;
  if (operator === '>') return a > b;
  return operator === '<=' ? a <= b : a >= b;
}

function compareNull(left: boolean, right: boolean, operator: YaqlComparison): boolean {
  if (left && right) return operator.endsWith('=');
  return left ? operator.startsWith('<') : operator.startsWith('>');
}

function magnitude(value: unknown): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  return value instanceof Float ? value.value : undefined;
}

const DEEPEST = 500;

/** YAQL's `=`: compares numbers and booleans by value, collections by content; never throws. */
export function equalsYaql(a: unknown, b: unknown, depth = 0): boolean {
  if (a === b) return true;
  if (typeof a === 'string' || typeof b === 'string' || a === null || b === null) return false;
  budget().spend(1);
  if (depth > DEEPEST) throw recursionExceeded();
  const x = numeric(a);
  const y = numeric(b);
  if (x !== undefined || y !== undefined) {
    if (x === undefined || y === undefined) return false;
    return isInt(x) && isInt(y) ? compareInts(x, y) === 0 : asNumber(x) === asNumber(y);
  }
  return equalObjects(a, b, depth + 1);
}

function equalObjects(a: unknown, b: unknown, depth: number): boolean {
  if (Array.isArray(a)) return Array.isArray(b) && equalLists(a, b, depth);
  if (isYaqlDict(a)) return isYaqlDict(b) && equalDicts(a, b, depth);
  if (isSetLike(a)) return isSetLike(b) && a.size === b.size && isSubset(a, b);
  if (a instanceof DateTime) return b instanceof DateTime && a.utcMicros === b.utcMicros;
  if (a instanceof TimeSpan) return b instanceof TimeSpan && a.micros === b.micros;
  return a instanceof RegexValue && b instanceof RegexValue && a.source === b.source && a.flags === b.flags;
}

/** A plain list never equals a tuple. */
function equalLists(a: readonly unknown[], b: readonly unknown[], depth: number): boolean {
  if (a.length !== b.length || a instanceof PlainList !== b instanceof PlainList) return false;
  return a.every((item, index) => equalsYaql(item ?? null, b[index] ?? null, depth));
}

function equalDicts(a: DictLike, b: DictLike, depth: number): boolean {
  if (yaqlDictSize(a) !== yaqlDictSize(b)) return false;
  for (const [key, value] of yaqlDictEntries(a)) {
    const other = yaqlDictGet(b, key);
    if (other === undefined || !equalsYaql(value, other, depth)) return false;
  }
  return true;
}

function isSubset(a: SetValue | View, b: SetValue | View): boolean {
  const whole = b instanceof SetValue ? b : new SetValue(b);
  for (const member of a) {
    budget().spend(1);
    if (!whole.has(member)) return false;
  }
  return true;
}
