import type { Lambda } from '../run/frame';
import { define, type Overload } from '../run/overload';
import { equals } from '../values/equals';
import { Lazy } from '../values/lazy';
import { plainList } from '../values/plain-list';
import { truth } from '../values/truth';
import { lazily, sliceError } from './lazily';

type Items = Iterable<unknown>;

/** Functions that cut a collection into parts. */
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
]; // prettier-ignore

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
    if (!truth(predicate.call(item))) part.push(item);
    else {
      yield part;
      part = [];
    }
  }
  if (part.length > 0) yield part;
}

/** Cuts where the value of the predicate changes, whatever kind of value it is. */
function* sliceWhere(items: Items, predicate: Lambda): Generator<unknown> {
  let part: unknown[] = [];
  let last: unknown;
  for (const item of items) {
    const value = predicate.call(item);
    if (part.length > 0 && !equals(value, last)) {
      yield part;
      part = [];
    }
    part.push(item);
    last = value;
  }
  if (part.length > 0) yield part;
}
