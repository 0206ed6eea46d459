import type { Lambda } from '../run/frame';
import { define, type Overload } from '../run/overload';
import { equalsYaql } from '../values/compare';
import { YaqlFailure } from '../values/failure';
import { isYaqlIterable, yaqlLength, yaqlTruth } from '../values/kinds';

type Items = Iterable<unknown>;

/** Functions that search or test a collection. */
export const searchFunctions: readonly Overload[] = [
  define('any', 'FM', 'collection:iter, predicate:fn=null', (items: Items, predicate: Lambda | null) => {
    for (const item of items) if (predicate === null || yaqlTruth(predicate.call(item))) return true;
    return false;
  }),
  define('all', 'FM', 'collection:iter, predicate:fn=null', (items: Items, predicate: Lambda | null) => {
    for (const item of items) if (!yaqlTruth(predicate === null ? item : predicate.call(item))) return false;
    return true;
  }),
  define('count', 'M', 'collection:iter', yaqlLength),
  define('first', 'M', 'collection:iter, default:any=none', (items: Items, fallback: unknown) => {
    for (const item of items) return item ?? null;
    return orStop(fallback);
  }),
  define('last', 'M', 'collection:iter, default:any=none', (items: Items, fallback: unknown) => {
    let last: unknown = fallback;
    for (const item of items) last = item ?? null;
    return orStop(last);
  }),
  define('single', 'M', 'collection:iter', (items: Items) => {
    const [first, second] = items;
    if (second !== undefined) throw new YaqlFailure('StopIteration', 'Collection contains more than one item');
    return orStop(first);
  }),
  define('indexOf', 'M', 'collection:iter, item:any', (items: Items, wanted: unknown) =>
    indexWhere(items, (item) => equalsYaql(item, wanted))),
  define('lastIndexOf', 'M', 'collection:iter, item:any', (items: Items, wanted: unknown) =>
    lastIndexWhere(items, (item) => equalsYaql(item, wanted))),
  define('indexWhere', 'M', 'collection:iter, predicate:fn', (items: Items, predicate: Lambda) =>
    indexWhere(items, (item) => yaqlTruth(predicate.call(item)))),
  define('lastIndexWhere', 'M', 'collection:iter, predicate:fn', (items: Items, predicate: Lambda) =>
    lastIndexWhere(items, (item) => yaqlTruth(predicate.call(item)))),
  define('isIterable', 'F', 'value:any', isYaqlIterable),
]; // oxfmt-ignore

function orStop(value: unknown): unknown {
  if (value === undefined) throw new YaqlFailure('StopIteration', '');
  return value;
}

function indexWhere(items: Items, holds: (item: unknown) => boolean): number {
  let index = 0;
  for (const item of items) {
    if (holds(item ?? null)) return index;
    index += 1;
  }
  return -1;
}

function lastIndexWhere(items: Items, holds: (item: unknown) => boolean): number {
  let index = 0;
  let found = -1;
  for (const item of items) {
    if (holds(item ?? null)) found = index;
    index += 1;
  }
  return found;
}
