import { isPlainObject } from '@switchyard/base';
import { pythonTypeName } from '../schema/python-repr';
import { NotApplicable } from './criterion';

/** The number of levels that Python compares before it gives up. */
const MAX_DEPTH = 900;

/** Python's `==`: booleans equal the numbers 0 and 1, lists and objects are compared deeply, and a text never equals a number. */
export function pythonEquals(a: unknown, b: unknown, depth = 0): boolean {
  if (depth > MAX_DEPTH) throw new NotApplicable('The values are nested too deeply to be compared');
  const [x, y] = [plain(a), plain(b)];
  if (x === y) return true;
  if (Array.isArray(x) && Array.isArray(y)) {
    return x.length === y.length && x.every((item, index) => pythonEquals(item, y[index], depth + 1));
  }
  if (!isPlainObject(x) || !isPlainObject(y)) return false;
  const keys = Object.keys(x);
  return (
    keys.length === Object.keys(y).length &&
    keys.every((key) => Object.hasOwn(y, key) && pythonEquals(x[key], y[key], depth + 1))
  );
}

/**
 * Python's order of two values: negative, 0 or positive.
 * @param operator for the reason, `<` or `>`
 * @throws NotApplicable unless both are numbers (or booleans), texts, or lists whose first difference has an order
 */
export function pythonOrder(a: unknown, b: unknown, operator: string, depth = 0): number {
  const [x, y] = [plain(a), plain(b)];
  if (typeof x === 'number' && typeof y === 'number') return x - y;
  if (typeof x === 'string' && typeof y === 'string') return textOrder(x, y);
  if (Array.isArray(x) && Array.isArray(y)) {
    const at = x.findIndex((item, index) => index >= y.length || !pythonEquals(item, y[index], depth + 1));
    return at < 0 || at >= y.length ? x.length - y.length : pythonOrder(x[at], y[at], operator, depth + 1);
  }
  const types = `'${pythonTypeName(a)}' and '${pythonTypeName(b)}'`;
  throw new NotApplicable(`'${operator}' not supported between instances of ${types}`);
}

/**
 * Python's `item in container`: a part of a text, an element of a list, a key of an object.
 * @throws NotApplicable for other containers, a part that is not a text, and a value that cannot be a key
 */
export function pythonIn(item: unknown, container: unknown): boolean {
  if (typeof container === 'string') {
    if (typeof item === 'string') return container.includes(item);
    throw new NotApplicable(`'in <string>' requires string as left operand, not ${pythonTypeName(item)}`);
  }
  if (Array.isArray(container)) return container.some((element) => pythonEquals(element, item));
  if (!isPlainObject(container)) {
    throw new NotApplicable(`argument of type '${pythonTypeName(container)}' is not iterable`);
  }
  if (typeof item === 'object' && item !== null) throw new NotApplicable(`unhashable type: '${pythonTypeName(item)}'`);
  return typeof item === 'string' && Object.hasOwn(container, item);
}

const plain = (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : (value ?? null));

/** Compares by code points, as Python does; JavaScript's own order by UTF-16 units puts surrogates before U+E000. */
export function textOrder(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const [x, y] = [a.charCodeAt(index), b.charCodeAt(index)];
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

const rank = (unit: number): number => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit);
