import { isPlainObject } from '@switchyard/base';
import { Float } from '../../jinja/values/number';
import { budget, recursionExceeded } from '../run/budget';
import { Frame } from '../run/frame';
import { DateTime } from './date-time';
import { Dict } from './dict';
import { typeError } from './failure';
import { isIterable } from './kinds';
import { RegexValue } from './regex-value';
import { outer } from './text';
import { TimeSpan } from './time-span';

const DEEPEST = 500;

/**
 * A value as plain data: collections of every kind become lists, dictionaries plain objects with text keys, floats numbers,
 * moments ISO 8601; integers beyond 2^53 stay bigints. Data from outside that an expression passes on are not copied.
 */
export function toPlain(value: unknown, depth = 0): unknown {
  switch (typeof value) {
    case 'object':
      return value === null ? null : plainObject(value, depth);
    case 'number':
      return Object.is(value, -0) ? 0 : value;
    case 'undefined':
      return null;
    default:
      return value;
  }
}

function plainObject(value: object, depth: number): unknown {
  if (depth > DEEPEST) throw recursionExceeded();
  if (value instanceof Float) return value.value;
  if (value.constructor === Array) return plainItems(value as unknown[], depth + 1);
  if (isPlainObject(value)) return value;
  if (value instanceof Dict) {
    return Object.fromEntries(Array.from(value, ([key, item]) => [plainKey(key), toPlain(item, depth + 1)]));
  }
  if (isIterable(value)) return Array.from(value, (item) => spent(toPlain(item, depth + 1)));
  if (value instanceof DateTime) return value.format('T');
  if (value instanceof Frame) throw typeError('The result is a context: `->` and an expression must follow');
  return value instanceof TimeSpan || value instanceof RegexValue ? String(value) : value;
}

/** The list itself while all of its items are plain already. */
function plainItems(items: readonly unknown[], depth: number): readonly unknown[] {
  budget().spend(items.length);
  let copy: unknown[] | undefined;
  for (let index = 0; index < items.length; index += 1) {
    const plain = toPlain(items[index], depth);
    if (copy === undefined && plain !== items[index]) copy = items.slice(0, index);
    copy?.push(plain);
  }
  return copy ?? items;
}

function spent<T>(value: T): T {
  budget().spend(1);
  return value;
}

/** A dictionary's key as text: `true`, `null`, numbers and texts as they are in JSON, anything else as Python prints it. */
function plainKey(key: unknown): string {
  if (key === null || typeof key === 'boolean') return String(key);
  return outer.text(key);
}
