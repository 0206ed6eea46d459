import { budget } from '../run/budget';
import { isMember, minusSets } from '../run/collection-operators';
import { define, type Overload } from '../run/overload';
import { YaqlFailure } from '../values/failure';
import { isYaqlIterable, yaqlLength, asSet, isSetLike } from '../values/kinds';
import { Lazy, plainList, SetValue, type View, isIterator } from '../values/collections';
import { dictionaryFunctions } from './dictionaries';

type Items = Iterable<unknown>;

type AnySet = SetValue | View;

/** The set functions of the module `collections`. */
const setFunctions: readonly Overload[] = [
  define('isSet', 'F', 'arg:any', isSetLike),
  define('set', 'F', '*args:any', (args: readonly unknown[]) => new SetValue(expanded(args))),
  define('toSet', 'M', 'collection:iter', (items: Items) => new SetValue(items)),
  define('union', 'M', 'left:set, right:set', (left: AnySet, right: AnySet) => new SetValue([...left, ...right])),
  define('intersect', 'M', 'left:set, right:set', (left: AnySet, right: AnySet) => {
    const other = asSet(right);
    return new SetValue([...left].filter((member) => other.has(member)));
  }),
  define('difference', 'M', 'left:set, right:set', minusSets),
  define('symmetricDifference', 'M', 'left:set, right:set', (left: AnySet, right: AnySet) =>
    new SetValue([...(minusSets(left, right) ?? []), ...(minusSets(right, left) ?? [])])),
  define('add', 'M', 'set:set, *values:any', (left: AnySet, values: Items) => new SetValue([...left, ...values])),
  define('remove', 'M', 'set:set, *values:any', (left: AnySet, values: Items) => minusSets(left, new SetValue(values))),
]; // oxfmt-ignore

export const collectionFunctions: readonly Overload[] = [
  define('list #list', 'F', '*args:any', (args: readonly unknown[]) => [...expanded(args)]),
  define('toList', 'M', 'collection:iter', (items: Items) => Array.from(items)),
  define('flatten', 'M', 'collection:iter', (items: Items) => new Lazy(flattened(items, 0))),
  define('isList', 'F', 'arg:any', (value: unknown) => Array.isArray(value)),
  define('len', 'FM', 'collection:iter', yaqlLength),
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
]; // oxfmt-ignore

const DEEPEST = 200;

function* flattened(items: Items, depth: number): Generator<unknown> {
  if (depth > DEEPEST) throw new YaqlFailure('RecursionError', 'maximum recursion depth exceeded');
  for (const item of items) {
    budget().spend(1);
    if (isYaqlIterable(item)) yield* flattened(item, depth + 1);
    else yield item ?? null;
  }
}

/** Replaces `count` items from `position` on by `values`; a negative count means all the rest. */
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

/** Inserts into a list as Python's `insert` does. In an iterator, an item for a negative position is dropped. */
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

/** Expands iterators into their items; any other value is a single item. */
function* expanded(args: Iterable<unknown>): Generator<unknown> {
  for (const each of args) {
    if (isIterator(each)) yield* each;
    else yield each;
  }
}
