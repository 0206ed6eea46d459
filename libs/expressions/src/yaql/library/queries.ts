import { asInt } from '../../jinja/values/number';
import { type Lambda } from '../run/frame';
import { define, type Overload } from '../run/overload';
import { isYaqlIterable, yaqlTruth } from '../values/kinds';
import { isIterator, Lazy, Memo, plainList, SetValue } from '../values/collections';
import { lazily, sliceError, combinationFunctions, partFunctions } from './query-parts';
import { foldFunctions } from './query-folds';
import { generatorFunctions } from './query-generators';
import { groupFunctions } from './query-groups';
import { searchFunctions } from './query-searches';

type Items = Iterable<unknown>;

/** The module `queries`. The functions in this file transform a collection item by item. */
export const queryFunctions: readonly Overload[] = [
  define('where filter', 'M', 'collection:iter, predicate:fn', lazily(where)),
  define('select map', 'M', 'collection:iter, selector:fn', lazily(select)),
  define('selectMany', 'M', 'collection:iter, selector:fn', lazily(selectMany)),
  define('skip', 'M', 'collection:iter, count:count', (items: Items, count: number) => {
    if (count < 0) throw sliceError('Indices for');
    return new Lazy(skip(items, count));
  }),
  define('limit take', 'M', 'collection:iter, count:count', (items: Items, count: number) => {
    if (count < 0) throw sliceError('Stop argument for');
    return new Lazy(limit(items, count));
  }),
  define('distinct', 'FM', 'collection:iter, keySelector:fn=null', lazily(distinct)),
  define('enumerate', 'FM', 'collection:iter, start:int?=0', lazily(enumerate)),
  define('memorize', 'M', 'collection:iter', (items: Items) =>
    isIterator(items) ? new Memo(items[Symbol.iterator]()) : items,
  ),
  define('cycle', 'M', 'collection:iter', lazily(cycle)),
  define('takeWhile', 'M', 'collection:iter, predicate:fn', lazily(takeWhile)),
  define('skipWhile', 'M', 'collection:iter, predicate:fn', lazily(skipWhile)),
  define('reverse', 'M', 'collection:iter', (items: Items) => new Lazy(Array.from(items).reverse())),
  ...partFunctions,
  ...combinationFunctions,
  ...searchFunctions,
  ...foldFunctions,
  ...groupFunctions,
  ...generatorFunctions,
];

function* where(items: Items, predicate: Lambda): Generator<unknown> {
  for (const item of items) if (yaqlTruth(predicate.call(item))) yield item;
}

function* select(items: Items, selector: Lambda): Generator<unknown> {
  for (const item of items) yield selector.call(item);
}

function* selectMany(items: Items, selector: Lambda): Generator<unknown> {
  for (const item of items) {
    const selected = selector.call(item);
    if (isYaqlIterable(selected)) yield* selected;
    else yield selected;
  }
}

function* skip(items: Items, count: number): Generator<unknown> {
  let index = 0;
  for (const item of items) {
    if (index >= count) yield item;
    index += 1;
  }
}

/** Reads no more items from its source than it yields. */
function* limit(items: Items, count: number): Generator<unknown> {
  if (count === 0) return;
  let index = 0;
  for (const item of items) {
    yield item;
    index += 1;
    if (index >= count) return;
  }
}

function* distinct(items: Items, keySelector: Lambda | null): Generator<unknown> {
  const seen = new SetValue();
  for (const item of items) if (seen.add(keySelector === null ? item : keySelector.call(item))) yield item;
}

function* enumerate(items: Items, start: number | bigint | null): Generator<unknown> {
  let index = BigInt(start ?? 0);
  for (const item of items) {
    yield plainList([asInt(index), item]);
    index += 1n;
  }
}

function* cycle(items: Items): Generator<unknown> {
  const all = Array.from(items);
  while (all.length > 0) yield* all;
}

function* takeWhile(items: Items, predicate: Lambda): Generator<unknown> {
  for (const item of items) {
    if (!yaqlTruth(predicate.call(item))) return;
    yield item;
  }
}

function* skipWhile(items: Items, predicate: Lambda): Generator<unknown> {
  let skipping = true;
  for (const item of items) {
    skipping &&= yaqlTruth(predicate.call(item));
    if (!skipping) yield item;
  }
}
