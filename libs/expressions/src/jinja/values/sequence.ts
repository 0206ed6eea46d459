import { dictKeys, jinjaDictSize, isJinjaDict, isJinjaList, jinjaTypeName } from './collections';
import { JinjaError } from './jinja-error';
import { asNumber, isNumber } from './number';
import { Undefined } from './undefined';

const SURROGATE = /[\ud800-\udfff]/;

/** The characters of a text by code point, as in Python. */
export const chars = (text: string): readonly string[] => (SURROGATE.test(text) ? [...text] : text.split(''));

export const textLength = (text: string): number => (SURROGATE.test(text) ? [...text].length : text.length);

/** The items that a loop over the value sees. @throws TypeError for a value that is not iterable */
export function iterate(value: unknown): readonly unknown[] {
  if (isJinjaList(value)) return value;
  if (typeof value === 'string') return chars(value);
  if (isJinjaDict(value)) return dictKeys(value);
  if (value instanceof Undefined) return value.lenient ? [] : value.fail();
  throw new JinjaError('TypeError', `'${jinjaTypeName(value)}' object is not iterable`);
}

export const isJinjaIterable = (value: unknown): boolean =>
  isJinjaList(value) || typeof value === 'string' || isJinjaDict(value);

export function jinjaLength(value: unknown): number {
  if (isJinjaList(value)) return value.length;
  if (typeof value === 'string') return textLength(value);
  if (isJinjaDict(value)) return jinjaDictSize(value);
  if (value instanceof Undefined) return value.lenient ? 0 : value.fail();
  throw new JinjaError('TypeError', `object of type '${jinjaTypeName(value)}' has no len()`);
}

/** Python's truth of a value. */
export function jinjaTruth(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  if (value === null || value === undefined || value === '') return false;
  if (isNumber(value)) return asNumber(value) !== 0;
  if (isJinjaList(value)) return value.length > 0;
  if (isJinjaDict(value)) return jinjaDictSize(value) > 0;
  if (value instanceof Undefined) return value.lenient ? false : value.fail();
  return true;
}
