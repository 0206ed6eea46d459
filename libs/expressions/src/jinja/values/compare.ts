import { charge } from '../run/budget';
import { type Dict, dictEntries, dictGet, dictHas, dictSize, isDict, isList, Tuple } from './collections';
import { JinjaError } from './jinja-error';
import { asNumber, type Float, isInt, numeric } from './number';
import { iterate } from './sequence';
import { typeName } from './type-name';
import { defined } from './undefined';

/** Python's `==`: numbers by value, lists and dictionaries by content, a list never equals a tuple. */
export function equals(a: unknown, b: unknown): boolean {
  charge(1);
  if (defined(a) === defined(b)) return true;
  const x = numeric(a);
  const y = numeric(b);
  if (x !== undefined && y !== undefined) return sameNumber(x, y);
  if (isList(a) && isList(b)) {
    if (a.length !== b.length || a instanceof Tuple !== b instanceof Tuple) return false;
    return a.every((item, index) => equals(item, b[index]));
  }
  return isDict(a) && isDict(b) && equalDicts(a, b);
}

function sameNumber(x: number | bigint | Float, y: number | bigint | Float): boolean {
  return isInt(x) && isInt(y) ? BigInt(x) === BigInt(y) : asNumber(x) === asNumber(y);
}

function equalDicts(a: Dict, b: Dict): boolean {
  return (
    dictSize(a) === dictSize(b) &&
    dictEntries(a).every(([key, value]) => dictHas(b, key) && equals(value, dictGet(b, key)))
  );
}

/** Below zero, zero or above, as the operator named in the error would order the two. @throws TypeError for mixed types */
export function compare(a: unknown, b: unknown, operator = '<'): number {
  charge(1);
  const x = numeric(defined(a));
  const y = numeric(defined(b));
  if (x !== undefined && y !== undefined) {
    if (isInt(x) && isInt(y)) return BigInt(x) < BigInt(y) ? -1 : BigInt(x) > BigInt(y) ? 1 : 0;
    return asNumber(x) - asNumber(y);
  }
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
  if (isList(a) && isList(b) && a instanceof Tuple === b instanceof Tuple) return compareLists(a, b, operator);
  throw new JinjaError(
    'TypeError',
    `'${operator}' not supported between instances of '${typeName(a)}' and '${typeName(b)}'`,
  );
}

function compareLists(a: unknown[], b: unknown[], operator: string): number {
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    if (!equals(a[index], b[index])) return compare(a[index], b[index], operator);
  }
  return a.length - b.length;
}

/** Python's `in`: a part of a text, an item of a list, a key of a dictionary. */
export function contains(container: unknown, item: unknown): boolean {
  defined(item);
  if (typeof container === 'string') {
    if (typeof item === 'string') return container.includes(item);
    throw new JinjaError('TypeError', `'in <string>' requires string as left operand, not ${typeName(item)}`);
  }
  if (isDict(container)) return dictHas(container, item);
  if (isList(container)) return iterate(container).some((each) => equals(each, item));
  defined(container);
  throw new JinjaError('TypeError', `argument of type '${typeName(container)}' is not iterable`);
}
