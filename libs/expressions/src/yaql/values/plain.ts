import { isPlainObject } from '@switchyard/base';
import { Float } from '../../jinja/values/number';
import { budget, recursionExceeded } from '../run/budget';
import { Frame } from '../run/frame';
import { DateTime } from './date-time';
import { YaqlDict } from './dict';
import { typeError } from './failure';
import { isYaqlIterable } from './kinds';
import { RegexValue } from './regex-value';
import { outer } from './text';
import { TimeSpan } from './time-span';

const DEEPEST = 500;

/**
 * Converts a value to plain data: collections of every kind become lists, dictionaries plain objects with text keys,
 * floats numbers, moments ISO 8601 texts; integers beyond 2^53 stay bigints. Data from outside is not copied.
 */
export const plainFromYaql = (value: unknown): unknown => plainAt(value, 0, false);

/** The same with floats such as 2.0 as they are. */
export const exactFromYaql = (value: unknown): unknown => plainAt(value, 0, true);

/** Data of a function that keeps floats; maps with floats become dictionaries, as other maps count as plain. */
export function yaqlFromExact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => spent(yaqlFromExact(item)));
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, spent(yaqlFromExact(item))] as const);
  const isPlain = entries.every(([key, item]) => item === value[key] && !(item instanceof Float));
  return isPlain ? value : new YaqlDict(entries);
}

function plainAt(value: unknown, depth: number, exact: boolean): unknown {
  switch (typeof value) {
    case 'object':
      return value === null ? null : plainObject(value, depth, exact);
    case 'number':
      return Object.is(value, -0) ? 0 : value;
    case 'undefined':
      return null;
    default:
      return value;
  }
}

function plainObject(value: object, depth: number, exact: boolean): unknown {
  if (depth > DEEPEST) throw recursionExceeded();
  if (value instanceof Float) return exact ? value : value.value;
  if (value.constructor === Array) return plainItems(value as unknown[], depth + 1, exact);
  if (isPlainObject(value)) return value;
  if (value instanceof YaqlDict) {
    return Object.fromEntries(Array.from(value, ([key, item]) => [plainKey(key), plainAt(item, depth + 1, exact)]));
  }
  if (isYaqlIterable(value)) return Array.from(value, (item) => spent(plainAt(item, depth + 1, exact)));
  if (value instanceof DateTime) return value.format('T');
  if (value instanceof Frame) throw typeError('The result is a context: `->` and an expression must follow');
  return value instanceof TimeSpan || value instanceof RegexValue ? String(value) : value;
}

/** Returns the list itself if all of its items are plain. */
function plainItems(items: readonly unknown[], depth: number, exact: boolean): readonly unknown[] {
  budget().spend(items.length);
  let copy: unknown[] | undefined;
  for (let index = 0; index < items.length; index += 1) {
    const plain = plainAt(items[index], depth, exact);
    if (copy === undefined && plain !== items[index]) copy = items.slice(0, index);
    copy?.push(plain);
  }
  return copy ?? items;
}

function spent<T>(value: T): T {
  budget().spend(1);
  return value;
}

/** A dictionary key as text: `true`, `null`, numbers and texts as in JSON, anything else as Python prints it. */
function plainKey(key: unknown): string {
  if (key === null || typeof key === 'boolean') return String(key);
  return outer.text(key);
}
