import { type YaqlFailure, valueError } from '../values/failure';
import { Lazy, plainList, isIterator } from '../values/collections';
import type { Lambda } from '../run/frame';
import { define, type Overload } from '../run/overload';
import { equalsYaql } from '../values/compare';
import { yaqlTruth } from '../values/kinds';
import { concatenated } from '../run/collection-operators';

/** Makes a function that returns an iterator over what the body yields. */
export const lazily =
  <A extends readonly unknown[]>(body: (...args: A) => Iterable<unknown>) =>
  (...args: A): Lazy =>
    new Lazy(body(...args));

/** Python's error for a negative number of items. */
export const sliceError = (what: 'Indices for' | 'Stop argument for'): YaqlFailure =>
  valueError(`${what} islice() must be None or an integer: 0 <= x <= sys.maxsize.`);

type Items = Iterable<unknown>;

/** Functions that split a collection. */
export const partFunctions: readonly Overload[] = [
  define('slice', 'M', 'collection:iter, length:count', (items: Items, length: number) => {
    if (length < 0) throw sliceError('Stop argument for');
    return new Lazy(slice(items, length));
  }),
  define('splitWhere', 'M', 'collection:iter, predicate:fn', lazily(splitWhere)),
  define('sliceWhere', 'M', 'collection:iter, predicate:fn', lazily(sliceWhere)),
  define('splitAt', 'M', 'collection:iter, index:count', (items: Items, index: number) => {
    const list = Array.from(items);
    return plainList([list.slice(0, index), list.slice(index)]);
  }),
]; // oxfmt-ignore

function* slice(items: Items, length: number): Generator<unknown> {
  if (length === 0) return;
  let part: unknown[] = [];
  for (const item of items) {
    part.push(item);
    if (part.length < length) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}

function* splitWhere(items: Items, predicate: Lambda): Generator<unknown> {
  let part: unknown[] = [];
  for (const item of items) {
    if (!yaqlTruth(predicate.call(item))) part.push(item);
    else {
      yield part;
      part = [];
    }
  }
  if (part.length > 0) yield part;
}

/** Splits where the value of the predicate changes; the value may be of any type. */
function* sliceWhere(items: Items, predicate: Lambda): Generator<unknown> {
  let part: unknown[] = [];
  let last: unknown;
  for (const item of items) {
    const value = predicate.call(item);
    if (part.length > 0 && !equalsYaql(value, last)) {
      yield part;
      part = [];
    }
    part.push(item);
    last = value;
  }
  if (part.length > 0) yield part;
}

/** Functions that combine several collections. */
export const combinationFunctions: readonly Overload[] = [
  define('append', 'FM', 'collection:iter, *args:any', lazily((items: Items, args: Items) => concatenated([items, args]))),
  define('concat', 'FM', '*collections:iter', lazily(concatenated)),
  define('zip', 'M', '*collections:iter', lazily(zip)),
  define('zipLongest', 'M', '*collections:iter, default:any=null', lazily(zipLongest)),
  define('defaultIfEmpty', 'M', 'collection:iter, default:iter', defaultIfEmpty),
  define('join', 'M', 'collection1:iter, collection2:iter, predicate:fn, selector:fn', lazily(join)),
]; // oxfmt-ignore

function* zip(collections: readonly Items[]): Generator<unknown> {
  const iterators = collections.map((items) => items[Symbol.iterator]());
  for (;;) {
    const row: unknown[] = [];
    for (const iterator of iterators) {
      const next = iterator.next();
      if (next.done === true) return;
      row.push(next.value);
    }
    yield row;
  }
}

function* zipLongest(collections: readonly Items[], fallback: unknown): Generator<unknown> {
  const iterators = collections.map((items) => items[Symbol.iterator]());
  for (;;) {
    const results = iterators.map((iterator) => iterator.next());
    if (results.every(({ done }) => done === true)) return;
    yield results.map(({ done, value }) => (done === true ? fallback : value));
  }
}

function defaultIfEmpty(items: Items, fallback: Items): Items {
  if (!isIterator(items)) {
    for (const _ of items) return items;
    return fallback;
  }
  const iterator = items[Symbol.iterator]();
  const first = iterator.next();
  if (first.done === true) return fallback;
  return new Lazy(concatenated([[first.value], { [Symbol.iterator]: () => iterator }]));
}

function* join(left: Items, right: Items, predicate: Lambda, selector: Lambda): Generator<unknown> {
  const others = isIterator(right) ? Array.from(right) : right;
  for (const a of left) {
    for (const b of others) if (yaqlTruth(predicate.call(a, b))) yield selector.call(a, b);
  }
}
