import { budget } from '../run/budget';
import type { Lambda, RuleArgument } from '../run/frame';
import { define, type Overload } from '../run/overload';
import {
  copyDict,
  YaqlDict,
  yaqlDictEntries,
  yaqlDictGet,
  yaqlDictHas,
  type DictLike,
  yaqlDictSize,
  isYaqlDict,
} from '../values/dict';
import { equalsYaql } from '../values/compare';
import { YaqlFailure } from '../values/failure';
import { isYaqlIterable } from '../values/kinds';
import { View } from '../values/collections';

type Items = Iterable<unknown>;

const rules = { takesRules: true };

/** The dictionary functions of the module `collections`. */
export const dictionaryFunctions: readonly Overload[] = [
  define('isDict', 'F', 'arg:any', isYaqlDict),
  define('len', 'FM', 'dict:dict', yaqlDictSize),
  define('dict #map', 'F', '*args:rule', (entries: readonly RuleArgument[]) => new YaqlDict(evaluated(entries)), rules),
  define('dict', 'F', 'items:iter', (items: Items) => new YaqlDict(pairs(items)), rules),
  define('toDict', 'M', 'collection:iter, keySelector:fn, valueSelector:fn=null', (items: Items, key: Lambda, value: Lambda | null) =>
    new YaqlDict(entriesOf(items, key, value))),
  define('get', 'M', 'dict:dict, key:any, default:any=null', (dict: DictLike, key: unknown, fallback: unknown) => {
    const value = yaqlDictGet(dict, key);
    return value === undefined ? fallback : value;
  }),
  define('set', 'M', 'dict:dict, key:any, value:any', (dict: DictLike, key: unknown, value: unknown) =>
    copyDict(dict).set(key, value), rules),
  define('set', 'M', 'dict:dict, replacements:dict', (dict: DictLike, by: DictLike) =>
    withEntries(dict, yaqlDictEntries(by)), rules),
  define('set', 'M', 'dict:dict, *args:rule', (dict: DictLike, entries: readonly RuleArgument[]) =>
    withEntries(dict, evaluated(entries)), rules),
  define('keys', 'M', 'dict:dict', (dict: DictLike) => new View('keys', dict)),
  define('values', 'M', 'dict:dict', (dict: DictLike) => new View('values', dict)),
  define('items', 'M', 'dict:dict', (dict: DictLike) => new View('items', dict)),
  define('containsKey', 'M', 'dict:dict, key:any', yaqlDictHas),
  define('containsValue', 'M', 'dict:dict, value:any', (dict: DictLike, value: unknown) => {
    for (const [, each] of yaqlDictEntries(dict)) {
      budget().spend(1);
      if (equalsYaql(each, value)) return true;
    }
    return false;
  }),
  define('delete', 'M', 'dict:dict, *keys:any', without),
  define('deleteAll', 'M', 'dict:dict, keys:iter', without),
]; // oxfmt-ignore

function* evaluated(entries: readonly RuleArgument[]): Generator<readonly [unknown, unknown]> {
  for (const { key, value } of entries) yield [key.call(), value.call()];
}

function* pairs(items: Items): Generator<readonly [unknown, unknown]> {
  for (const item of items) {
    if (!isYaqlIterable(item)) throw new YaqlFailure('TypeError', 'the items of a dictionary must be pairs');
    const [key, value] = item;
    if (key === undefined || value === undefined) throw new YaqlFailure('StopIteration', '');
    yield [key, value];
  }
}

function* entriesOf(items: Items, key: Lambda, value: Lambda | null): Generator<readonly [unknown, unknown]> {
  for (const item of items) yield [key.call(item), value === null ? item : value.call(item)];
}

function withEntries(dict: DictLike, entries: Iterable<readonly [unknown, unknown]>): YaqlDict {
  const result = copyDict(dict);
  for (const [key, value] of entries) result.set(key, value);
  return result;
}

function without(dict: DictLike, keys: Items): YaqlDict {
  const result = copyDict(dict);
  for (const key of keys) result.delete(key);
  return result;
}
