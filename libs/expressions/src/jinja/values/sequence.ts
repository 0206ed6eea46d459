import { dictKeys, dictSize, isDict, isList } from './collections';
import { JinjaError } from './jinja-error';
import { asNumber, isNumber } from './number';
import { typeName } from './type-name';
import { Undefined } from './undefined';

const SURROGATE = /[\ud800-\udfff]/;

/** The characters of a text by code point, as Python counts them. */
export const chars = (text: string): readonly string[] => (SURROGATE.test(text) ? [...text] : text.split(''));

export const textLength = (text: string): number => (SURROGATE.test(text) ? [...text].length : text.length);

/** The items that a loop over the value sees. @throws TypeError when it cannot be iterated */
export function iterate(value: unknown): readonly unknown[] {
  if (isList(value)) return value;
  if (typeof value === 'string') return chars(value);
  if (isDict(value)) return dictKeys(value);
  if (value instanceof Undefined) return value.lenient ? [] : value.fail();
  throw new JinjaError('TypeError', `'${typeName(value)}' object is not iterable`);
}

export const isIterable = (value: unknown): boolean => isList(value) || typeof value === 'string' || isDict(value);

export function lengthOf(value: unknown): number {
  if (isList(value)) return value.length;
  if (typeof value === 'string') return textLength(value);
  if (isDict(value)) return dictSize(value);
  if (value instanceof Undefined) return value.lenient ? 0 : value.fail();
  throw new JinjaError('TypeError', `object of type '${typeName(value)}' has no len()`);
}

/** Python's truth of a value. */
export function truth(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  if (value === null || value === undefined || value === '') return false;
  if (isNumber(value)) return asNumber(value) !== 0;
  if (isList(value)) return value.length > 0;
  if (isDict(value)) return dictSize(value) > 0;
  if (value instanceof Undefined) return value.lenient ? false : value.fail();
  return true;
}
