import { budget } from '../run/budget';
import { isMember } from '../run/collection-operators';
import { define, type Overload } from '../run/overload';
import { expanded } from '../values/expanded';
import { YaqlFailure } from '../values/failure';
import { isIterable, lengthOf } from '../values/kinds';
import { Lazy } from '../values/lazy';
import { plainList } from '../values/plain-list';
import { dictionaryFunctions } from './dictionaries';
import { setFunctions } from './sets';

type Items = Iterable<unknown>;

export const collectionFunctions: readonly Overload[] = [
  define('list #list', 'F', '*args:any', (args: readonly unknown[]) => [...expanded(args)]),
  define('toList', 'M', 'collection:iter', (items: Items) => Array.from(items)),
  define('flatten', 'M', 'collection:iter', (items: Items) => new Lazy(flattened(items, 0))),
  define('isList', 'F', 'arg:any', (value: unknown) => Array.isArray(value)),
  define('len', 'FM', 'collection:iter', lengthOf),
  define('contains', 'M', 'collection:iter, value:any', (items: Items, value: unknown) => isMember(value, items)),
  define('delete', 'M', 'collection:iter, position:count, count:count=1', (items: Items, position: number, count: number) =>
    new Lazy(replaced(items, position, [], count))),
  define('replace', 'M', 'collection:iter, position:count, value:any, count:count=1', (items: Items, position: number, value: unknown, count: number) =>
    new Lazy(replaced(items, position, [value], count))),
  define('replaceMany', 'M', 'collection:iter, position:count, values:iter, count:count=1', (items: Items, position: number, values: Items, count: number) =>
    new Lazy(replaced(items, position, values, count))),
  define('insert', 'M', 'collection:placed, position:count, value:any', inserted),
  define('insertMany', 'M', 'collection:iter, position:count, values:iter', (items: Items, position: number, values: Items) =>
    new Lazy(insertedMany(items, position, values))),
  ...dictionaryFunctions,
  ...setFunctions,
]; // prettier-ignore

const DEEPEST = 200;

function* flattened(items: Items, depth: number): Generator<unknown> {
  if (depth > DEEPEST) throw new YaqlFailure('RecursionError', 'maximum recursion depth exceeded');
  for (const item of items) {
    budget().spend(1);
    if (isIterable(item)) yield* flattened(item, depth + 1);
    else yield item ?? null;
  }
}

/** The items with `count` of them, from `position` on, replaced as a whole; a negative count means all of the rest. */
function* replaced(items: Items, position: number, values: Items, count: number): Generator<unknown> {
  let index = 0;
  let done = false;
  for (const item of items) {
    if (index < position || (count >= 0 && index >= position + count)) yield item;
    else if (!done) {
      yield* values;
      done = true;
    }
    index += 1;
  }
}

/** A list gets the item as Python's `insert` does it; an iterator loses one that is meant for a place before its start. */
function inserted(items: Items, position: number, value: unknown): unknown {
  if (!Array.isArray(items)) return new Lazy(position < 0 ? items : insertedMany(items, position, [value]));
  budget().collection(items.length + 1);
  const copy = plainList(items);
  copy.splice(position, 0, value);
  return copy;
}

function* insertedMany(items: Items, position: number, values: Items): Generator<unknown> {
  if (position < 0) yield* values;
  let index = 0;
  for (const item of items) {
    if (index === position) yield* values;
    yield item;
    index += 1;
  }
  if (position >= index) yield* values;
}
