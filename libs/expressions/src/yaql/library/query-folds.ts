import type { Lambda } from '../run/frame';
import { concatenated } from '../run/collection-operators';
import { add, greaterThan } from '../run/operators';
import { define, type Overload } from '../run/overload';
import { YaqlDict, yaqlDictEntries, yaqlDictGet, yaqlDictHas, type DictLike, isYaqlDict } from '../values/dict';
import { typeError } from '../values/failure';
import { Lazy, SetValue } from '../values/collections';
import { yaqlTypeName } from '../values/kinds';
import { budget, recursionExceeded } from '../run/budget';

type Items = Iterable<unknown>;
type Fold = (a: unknown, b: unknown) => unknown;

/** The greater of two values; null is the least. Returns the first if they are equal. */
export const foldMaximum: Fold = (a, b) => (greaterThan(b, a) ? b : a);
/** The lesser of two values. Returns the second if they are equal. */
export const foldMinimum: Fold = (a, b) => (greaterThan(b, a) ? a : b);

/** Functions that reduce a collection to one value. */
export const foldFunctions: readonly Overload[] = [
  define('sum', 'M', 'collection:iter, initial:any=none', folding(add)),
  define('max', 'M', 'collection:iter, initial:any=none', folding(foldMaximum)),
  define('min', 'M', 'collection:iter, initial:any=none', folding(foldMinimum)),
  define('aggregate reduce', 'M', 'collection:iter, selector:fn, seed:any=none', (items: Items, selector: Lambda, seed: unknown) =>
    folding((a, b) => selector.call(a, b))(items, seed)),
  define('accumulate', 'M', 'collection:iter, selector:fn, seed:any=none', (items: Items, selector: Lambda, seed: unknown) =>
    new Lazy(accumulate(items, selector, seed))),
  define('mergeWith', 'M', 'dict:dict, another:dict, listMerger:fn=null, itemMerger:fn=null, maxLevels:count=0',
    (dict: DictLike, another: DictLike, lists: Lambda | null, items: Lambda | null, levels: number) =>
      merged(dict, another, {
        lists: lists === null ? joinedLists : (a, b) => lists.call(a, b),
        items: items === null ? (_a, b) => b : (a, b) => items.call(a, b),
      }, levels)),
]; // oxfmt-ignore

function folding(fold: Fold): (items: Items, seed: unknown) => unknown {
  return (items, seed) => {
    let result = seed;
    for (const item of items) result = result === undefined ? (item ?? null) : fold(result, item ?? null);
    if (result === undefined) throw typeError('reduce() of empty iterable with no initial value');
    return result;
  };
}

function* accumulate(items: Items, selector: Lambda, seed: unknown): Generator<unknown> {
  let total = seed;
  if (total !== undefined) yield total;
  for (const item of items) {
    total = total === undefined ? (item ?? null) : selector.call(total, item);
    yield total;
  }
  if (total === undefined) throw typeError('accumulate() of empty sequence with no initial value');
}

interface Mergers {
  readonly lists: Fold;
  readonly items: Fold;
}

const joinedLists: Fold = (a, b) => [...new SetValue(concatenated([a as Items, b as Items]))];

const DEEPEST = 200;

/** @param levels how many levels to merge; 0: all */
function merged(left: DictLike, right: DictLike, mergers: Mergers, levels: number, depth = 0): YaqlDict {
  if (depth > DEEPEST) throw recursionExceeded();
  const result = new YaqlDict();
  for (const [key, value] of yaqlDictEntries(left)) {
    budget().spend(1);
    const other = yaqlDictGet(right, key);
    result.set(key, other === undefined ? value : mergedValue(value, other, mergers, levels, depth));
  }
  for (const [key, value] of yaqlDictEntries(right)) if (!yaqlDictHas(result, key)) result.set(key, value);
  return result;
}

function mergedValue(a: unknown, b: unknown, mergers: Mergers, levels: number, depth: number): unknown {
  if (levels === 1) return mergers.items(a, b);
  if (isYaqlDict(b)) {
    if (!isYaqlDict(a)) throw cannotMerge(a, b);
    return merged(a, b, mergers, levels === 0 ? 0 : levels - 1, depth + 1);
  }
  if (!Array.isArray(b)) return mergers.items(a, b);
  if (!Array.isArray(a)) throw cannotMerge(a, b);
  return mergers.lists(a, b);
}

const cannotMerge = (a: unknown, b: unknown) =>
  typeError(`Cannot merge <class '${yaqlTypeName(a)}'> with <class '${yaqlTypeName(b)}'>`);
