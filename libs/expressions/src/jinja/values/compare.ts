import { textOrder } from '@switchyard/model';
import { charge } from '../run/budget';
import {
  type JinjaDict,
  jinjaDictEntries,
  jinjaDictGet,
  jinjaDictHas,
  jinjaDictSize,
  isJinjaDict,
  isJinjaList,
  Tuple,
  jinjaTypeName,
} from './collections';
import { JinjaError } from './jinja-error';
import { asNumber, compareInts, type Float, isInt, numeric } from './number';
import { iterate } from './sequence';
import { defined, Undefined } from './undefined';

/** Python's `==`: compares numbers by value, lists and dictionaries by content; a list never equals a tuple. */
export function equalsJinja(a: unknown, b: unknown): boolean {
  charge(1);
  if (defined(a) === defined(b) || (a instanceof Undefined && b instanceof Undefined)) return true;
  const x = numeric(a);
  const y = numeric(b);
  if (x !== undefined && y !== undefined) return sameNumber(x, y);
  if (isJinjaList(a) && isJinjaList(b)) {
    if (a.length !== b.length || a instanceof Tuple !== b instanceof Tuple) return false;
    return a.every((item, index) => equalsJinja(item, b[index]));
  }
  return isJinjaDict(a) && isJinjaDict(b) && equalDicts(a, b);
}

function sameNumber(x: number | bigint | Float, y: number | bigint | Float): boolean {
  return isInt(x) && isInt(y) ? compareInts(x, y) === 0 : asNumber(x) === asNumber(y);
}

function equalDicts(a: JinjaDict, b: JinjaDict): boolean {
  return (
    jinjaDictSize(a) === jinjaDictSize(b) &&
    jinjaDictEntries(a).every(([key, value]) => jinjaDictHas(b, key) && equalsJinja(value, jinjaDictGet(b, key)))
  );
}

/**
 * Negative, zero or positive, like a comparator.
 * @param operator named in the error
 * @throws TypeError for mixed types
 */
export function compareJinja(a: unknown, b: unknown, operator = '<'): number {
  charge(1);
  const x = numeric(defined(a));
  const y = numeric(defined(b));
  if (x !== undefined && y !== undefined) {
    if (isInt(x) && isInt(y)) return compareInts(x, y);
    return asNumber(x) - asNumber(y);
  }
  if (typeof a === 'string' && typeof b === 'string') return textOrder(a, b);
  if (isJinjaList(a) && isJinjaList(b) && a instanceof Tuple === b instanceof Tuple)
    return compareLists(a, b, operator);
  throw new JinjaError(
    'TypeError',
    `'${operator}' not supported between instances of '${jinjaTypeName(a)}' and '${jinjaTypeName(b)}'`,
  );
}

function compareLists(a: unknown[], b: unknown[], operator: string): number {
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    if (!equalsJinja(a[index], b[index])) return compareJinja(a[index], b[index], operator);
  }
  return a.length - b.length;
}

/** Python's `in`: a substring, an item of a list, a key of a dictionary. */
export function contains(container: unknown, item: unknown): boolean {
  defined(item);
  if (typeof container === 'string') {
    if (typeof item === 'string') return container.includes(item);
    throw new JinjaError('TypeError', `'in <string>' requires string as left operand, not ${jinjaTypeName(item)}`);
  }
  if (isJinjaDict(container)) return jinjaDictHas(container, item);
  if (isJinjaList(container)) return iterate(container).some((each) => equalsJinja(each, item));
  if (container instanceof Undefined) return container.lenient ? false : container.fail();
  throw new JinjaError('TypeError', `argument of type '${jinjaTypeName(container)}' is not iterable`);
}
