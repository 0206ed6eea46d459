import { concatenated } from '../run/collection-operators';
import type { Lambda } from '../run/frame';
import { define, type Overload } from '../run/overload';
import { isIterator, Lazy } from '../values/lazy';
import { truth } from '../values/truth';
import { lazily } from './lazily';

type Items = Iterable<unknown>;

/** Functions that make one collection out of several. */
export const combinationFunctions: readonly Overload[] = [
  define('append', 'FM', 'collection:iter, *args:any', lazily((items: Items, args: Items) => concatenated([items, args]))),
  define('concat', 'FM', '*collections:iter', lazily(concatenated)),
  define('zip', 'M', '*collections:iter', lazily(zip)),
  define('zipLongest', 'M', '*collections:iter, default:any=null', lazily(zipLongest)),
  define('defaultIfEmpty', 'M', 'collection:iter, default:iter', defaultIfEmpty),
  define('join', 'M', 'collection1:iter, collection2:iter, predicate:fn, selector:fn', lazily(join)),
]; // prettier-ignore

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
    for (const b of others) if (truth(predicate.call(a, b))) yield selector.call(a, b);
  }
}
