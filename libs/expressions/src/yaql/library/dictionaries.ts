import { budget } from '../run/budget';
import type { Lambda, RuleArgument } from '../run/frame';
import { define, type Overload } from '../run/overload';
import { copyDict, Dict, dictEntries, dictGet, dictHas, type DictLike, dictSize, isDict } from '../values/dict';
import { equals } from '../values/equals';
import { YaqlFailure } from '../values/failure';
import { isIterable } from '../values/kinds';
import { View } from '../values/view';

type Items = Iterable<unknown>;

const rules = { takesRules: true };

/** The part of the module `collections` that deals with dictionaries. */
export const dictionaryFunctions: readonly Overload[] = [
  define('isDict', 'F', 'arg:any', isDict),
  define('len', 'FM', 'dict:dict', dictSize),
  define('dict #map', 'F', '*args:rule', (entries: readonly RuleArgument[]) => new Dict(evaluated(entries)), rules),
  define('dict', 'F', 'items:iter', (items: Items) => new Dict(pairs(items)), rules),
  define('toDict', 'M', 'collection:iter, keySelector:fn, valueSelector:fn=null', (items: Items, key: Lambda, value: Lambda | null) =>
    new Dict(entriesOf(items, key, value))),
  define('get', 'M', 'dict:dict, key:any, default:any=null', (dict: DictLike, key: unknown, fallback: unknown) => {
    const value = dictGet(dict, key);
    return value === undefined ? fallback : value;
  }),
  define('set', 'M', 'dict:dict, key:any, value:any', (dict: DictLike, key: unknown, value: unknown) =>
    copyDict(dict).set(key, value), rules),
  define('set', 'M', 'dict:dict, replacements:dict', (dict: DictLike, by: DictLike) =>
    withEntries(dict, dictEntries(by)), rules),
  define('set', 'M', 'dict:dict, *args:rule', (dict: DictLike, entries: readonly RuleArgument[]) =>
    withEntries(dict, evaluated(entries)), rules),
  define('keys', 'M', 'dict:dict', (dict: DictLike) => new View('keys', dict)),
  define('values', 'M', 'dict:dict', (dict: DictLike) => new View('values', dict)),
  define('items', 'M', 'dict:dict', (dict: DictLike) => new View('items', dict)),
  define('containsKey', 'M', 'dict:dict, key:any', dictHas),
  define('containsValue', 'M', 'dict:dict, value:any', (dict: DictLike, value: unknown) => {
    for (const [, each] of dictEntries(dict)) {
      budget().spend(1);
      if (equals(each, value)) return true;
    }
    return false;
  }),
  define('delete', 'M', 'dict:dict, *keys:any', without),
  define('deleteAll', 'M', 'dict:dict, keys:iter', without),
]; // prettier-ignore

function* evaluated(entries: readonly RuleArgument[]): Generator<readonly [unknown, unknown]> {
  for (const { key, value } of entries) yield [key.call(), value.call()];
}

function* pairs(items: Items): Generator<readonly [unknown, unknown]> {
  for (const item of items) {
    if (!isIterable(item)) throw new YaqlFailure('TypeError', 'the items of a dictionary must be pairs');
    const [key, value] = item;
    if (key === undefined || value === undefined) throw new YaqlFailure('StopIteration', '');
    yield [key, value];
  }
}

function* entriesOf(items: Items, key: Lambda, value: Lambda | null): Generator<readonly [unknown, unknown]> {
  for (const item of items) yield [key.call(item), value === null ? item : value.call(item)];
}

function withEntries(dict: DictLike, entries: Iterable<readonly [unknown, unknown]>): Dict {
  const result = copyDict(dict);
  for (const [key, value] of entries) result.set(key, value);
  return result;
}

function without(dict: DictLike, keys: Items): Dict {
  const result = copyDict(dict);
  for (const key of keys) result.delete(key);
  return result;
}
