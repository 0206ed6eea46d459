import { isPlainObject } from '@switchyard/base';
import { JinjaError } from './jinja-error';
import { Float, isFloat, isNumber } from './number';
import { Undefined } from './undefined';

/** A Python tuple: a list printed with parentheses. Groups of `groupby` also have named fields. */
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

/** Dictionaries: plain objects come from the context, maps are made by templates (any key, insertion order). */
export type JinjaDict = Record<string, unknown> | Map<unknown, unknown>;

export const isJinjaDict = (value: unknown): value is JinjaDict => value instanceof Map || isPlainObject(value);

export const isJinjaList = (value: unknown): value is unknown[] => Array.isArray(value);

/** 1, 1.0 and a bigint of the same value are the same key. */
function dictKey(key: unknown): unknown {
  if (key instanceof Float) return key.value;
  if (isJinjaDict(key) || (isJinjaList(key) && !(key instanceof Tuple))) {
    throw new JinjaError('TypeError', `unhashable type: '${isJinjaDict(key) ? 'dict' : 'list'}'`);
  }
  return key;
}

export const jinjaDictHas = (dict: JinjaDict, key: unknown): boolean =>
  dict instanceof Map ? dict.has(dictKey(key)) : typeof key === 'string' && Object.hasOwn(dict, key);

export const jinjaDictGet = (dict: JinjaDict, key: unknown): unknown =>
  dict instanceof Map ? dict.get(dictKey(key)) : jinjaDictHas(dict, key) ? dict[key as string] : undefined;

export function dictSet(dict: JinjaDict, key: unknown, value: unknown): void {
  if (dict instanceof Map) dict.set(dictKey(key), value);
  else Object.defineProperty(dict, String(key), { value, writable: true, enumerable: true, configurable: true });
}

export function dictDelete(dict: JinjaDict, key: unknown): void {
  if (dict instanceof Map) dict.delete(dictKey(key));
  else delete dict[String(key)];
}

export const dictKeys = (dict: JinjaDict): unknown[] => (dict instanceof Map ? [...dict.keys()] : Object.keys(dict));

export const jinjaDictEntries = (dict: JinjaDict): [unknown, unknown][] =>
  dict instanceof Map ? [...dict.entries()] : Object.entries(dict);

export const jinjaDictSize = (dict: JinjaDict): number => (dict instanceof Map ? dict.size : Object.keys(dict).length);

/** The name of a value's type in Python, for error messages. */
export function jinjaTypeName(value: unknown): string {
  if (value === null || value === undefined) return 'NoneType';
  if (typeof value === 'string') return 'str';
  if (typeof value === 'boolean') return 'bool';
  if (isNumber(value)) return isFloat(value) ? 'float' : 'int';
  if (value instanceof Tuple) return 'tuple';
  if (isJinjaList(value)) return 'list';
  if (isJinjaDict(value)) return 'dict';
  if (typeof value === 'function') return 'function';
  return value instanceof Undefined ? 'StrictUndefined' : 'object';
}

/** How Jinja2 names the owner of a missing attribute: `dict object`, or `None` alone. */
export const ownerName = (value: unknown): string =>
  value === null || value === undefined ? 'None' : `${jinjaTypeName(value)} object`;
