import { isIterator } from './lazy';
import { Ordered } from './ordered';
import { SetValue } from './set-value';
import { View } from './view';

/** Anything with items: lists, sets, views, iterators, ordered results; no text and no dictionary. */
export const isIterable = (value: unknown): value is Iterable<unknown> =>
  Array.isArray(value) ||
  isIterator(value) ||
  value instanceof SetValue ||
  value instanceof View ||
  value instanceof Ordered;

/** Sets, and the views whose members are unique. */
export const isSetLike = (value: unknown): value is SetValue | View =>
  value instanceof SetValue || (value instanceof View && value.kind !== 'values');

export const asSet = (value: SetValue | View): SetValue => (value instanceof SetValue ? value : new SetValue(value));

/** How many items there are; an iterator is used up by that. */
export function lengthOf(items: Iterable<unknown>): number {
  if (Array.isArray(items)) return items.length;
  if (items instanceof SetValue || items instanceof View) return items.size;
  let count = 0;
  for (const _ of items) count += 1;
  return count;
}
