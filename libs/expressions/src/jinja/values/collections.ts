import { isPlainObject } from '@switchyard/base';
import { JinjaError } from './jinja-error';
import { Float } from './number';

/** A Python tuple: a list that prints with parentheses. Groups of `groupby` also have named fields. */
export class Tuple extends Array<unknown> {
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }
  fields?: Readonly<Record<string, unknown>>;
}

export function tuple(items: Iterable<unknown>, fields?: Readonly<Record<string, unknown>>): Tuple {
  const result = new Tuple();
  for (const item of items) result.push(item);
  if (fields !== undefined) Object.defineProperty(result, 'fields', { value: fields });
  return result;
}

/** Dictionaries: plain objects come with the context, maps are made by templates (any key, insertion order). */
export type Dict = Record<string, unknown> | Map<unknown, unknown>;

export const isDict = (value: unknown): value is Dict => value instanceof Map || isPlainObject(value);

export const isList = (value: unknown): value is unknown[] => Array.isArray(value);

/** 1, 1.0 and a bigint of the same value are one key. */
export function dictKey(key: unknown): unknown {
  if (key instanceof Float) return key.value;
  if (isDict(key) || (isList(key) && !(key instanceof Tuple))) {
    throw new JinjaError('TypeError', `unhashable type: '${isDict(key) ? 'dict' : 'list'}'`);
  }
  return key;
}

export const dictHas = (dict: Dict, key: unknown): boolean =>
  dict instanceof Map ? dict.has(dictKey(key)) : typeof key === 'string' && Object.hasOwn(dict, key);

export const dictGet = (dict: Dict, key: unknown): unknown =>
  dict instanceof Map ? dict.get(dictKey(key)) : dictHas(dict, key) ? dict[key as string] : undefined;

export function dictSet(dict: Dict, key: unknown, value: unknown): void {
  if (dict instanceof Map) dict.set(dictKey(key), value);
  else Object.defineProperty(dict, String(key), { value, writable: true, enumerable: true, configurable: true });
}

export function dictDelete(dict: Dict, key: unknown): void {
  if (dict instanceof Map) dict.delete(dictKey(key));
  else delete dict[String(key)];
}

export const dictKeys = (dict: Dict): unknown[] => (dict instanceof Map ? [...dict.keys()] : Object.keys(dict));

export const dictEntries = (dict: Dict): [unknown, unknown][] =>
  dict instanceof Map ? [...dict.entries()] : Object.entries(dict);

export const dictSize = (dict: Dict): number => (dict instanceof Map ? dict.size : Object.keys(dict).length);
