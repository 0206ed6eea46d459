import { isIterator, SetValue, View, PlainList } from './collections';
import { Ordered } from './ordered';
import { Float, isFloat, isNumber } from '../../jinja/values/number';
import { yaqlDictSize, isYaqlDict, YaqlDict } from './dict';
import { TimeSpan } from './time-span';
import { DateTime } from './date-time';

/** Anything with items: lists, sets, views, iterators, ordered results; not texts or dictionaries. */
export const isYaqlIterable = (value: unknown): value is Iterable<unknown> =>
  Array.isArray(value) ||
  isIterator(value) ||
  value instanceof SetValue ||
  value instanceof View ||
  value instanceof Ordered;

/** Sets, and views with unique members. */
export const isSetLike = (value: unknown): value is SetValue | View =>
  value instanceof SetValue || (value instanceof View && value.kind !== 'values');

export const asSet = (value: SetValue | View): SetValue => (value instanceof SetValue ? value : new SetValue(value));

/** Counts the items, which consumes an iterator. */
export function yaqlLength(items: Iterable<unknown>): number {
  if (Array.isArray(items)) return items.length;
  if (items instanceof SetValue || items instanceof View) return items.size;
  let count = 0;
  for (const _ of items) count += 1;
  return count;
}

/** Python's truth of a value; iterators are true even if empty. */
export function yaqlTruth(value: unknown): boolean {
  switch (typeof value) {
    case 'boolean':
      return value;
    case 'string':
      return value !== '';
    case 'number':
    case 'bigint':
      return Number(value) !== 0;
    default:
      return value !== null && value !== undefined && objectTruth(value);
  }
}

function objectTruth(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (value instanceof SetValue || value instanceof View) return value.size > 0;
  if (value instanceof Float) return value.value !== 0;
  if (value instanceof TimeSpan) return value.micros !== 0n;
  return !isYaqlDict(value) || yaqlDictSize(value) > 0;
}

/** The Python name of the value's type, as shown in messages. */
export function yaqlTypeName(value: unknown): string {
  if (value === null || value === undefined) return 'NoneType';
  if (typeof value === 'string') return 'str';
  if (typeof value === 'boolean') return 'bool';
  if (isNumber(value)) return isFloat(value) ? 'float' : 'int';
  if (Array.isArray(value)) return value instanceof PlainList ? 'list' : 'tuple';
  if (isYaqlDict(value)) return value instanceof YaqlDict ? 'dict' : 'yaql.language.utils.FrozenDict';
  if (value instanceof SetValue) return 'frozenset';
  if (value instanceof DateTime) return 'datetime.datetime';
  return value instanceof TimeSpan ? 'datetime.timedelta' : 'generator';
}
