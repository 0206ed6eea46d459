import { asNumber, isInt, numeric } from '../../jinja/values/number';
import { budget, recursionExceeded } from '../run/budget';
import { DateTime } from './date-time';
import { type DictLike, dictEntries, dictGet, dictSize, isDict } from './dict';
import { isSetLike } from './kinds';
import { PlainList } from './plain-list';
import { RegexValue } from './regex-value';
import { SetValue } from './set-value';
import { TimeSpan } from './time-span';
import { type View } from './view';

const DEEPEST = 500;

/** YAQL's `=`: numbers and booleans by value, collections by content; never fails. */
export function equals(a: unknown, b: unknown, depth = 0): boolean {
  if (a === b) return true;
  if (typeof a === 'string' || typeof b === 'string' || a === null || b === null) return false;
  budget().spend(1);
  if (depth > DEEPEST) throw recursionExceeded();
  const x = numeric(a);
  const y = numeric(b);
  if (x !== undefined || y !== undefined) {
    if (x === undefined || y === undefined) return false;
    return isInt(x) && isInt(y) ? BigInt(x) === BigInt(y) : asNumber(x) === asNumber(y);
  }
  return equalObjects(a, b, depth + 1);
}

function equalObjects(a: unknown, b: unknown, depth: number): boolean {
  if (Array.isArray(a)) return Array.isArray(b) && equalLists(a, b, depth);
  if (isDict(a)) return isDict(b) && equalDicts(a, b, depth);
  if (isSetLike(a)) return isSetLike(b) && a.size === b.size && isSubset(a, b);
  if (a instanceof DateTime) return b instanceof DateTime && a.utcMicros === b.utcMicros;
  if (a instanceof TimeSpan) return b instanceof TimeSpan && a.micros === b.micros;
  return a instanceof RegexValue && b instanceof RegexValue && a.source === b.source && a.flags === b.flags;
}

/** The two kinds of lists are never equal to each other. */
function equalLists(a: readonly unknown[], b: readonly unknown[], depth: number): boolean {
  if (a.length !== b.length || a instanceof PlainList !== b instanceof PlainList) return false;
  return a.every((item, index) => equals(item ?? null, b[index] ?? null, depth));
}

function equalDicts(a: DictLike, b: DictLike, depth: number): boolean {
  if (dictSize(a) !== dictSize(b)) return false;
  for (const [key, value] of dictEntries(a)) {
    const other = dictGet(b, key);
    if (other === undefined || !equals(value, other, depth)) return false;
  }
  return true;
}

export function isSubset(a: SetValue | View, b: SetValue | View): boolean {
  const whole = b instanceof SetValue ? b : new SetValue(b);
  for (const member of a) {
    budget().spend(1);
    if (!whole.has(member)) return false;
  }
  return true;
}
