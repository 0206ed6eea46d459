import { type Numeric, isFloat } from '../../jinja/values/number';
import { chars, textLength } from '../../jinja/values/sequence';
import { budget } from '../run/budget';
import { define, type Overload } from '../run/overload';
import { type DictLike, yaqlDictEntries } from '../values/dict';
import { typeError } from '../values/failure';
import { sliceBounds, strip, stripLeft, stripRight, rightSplitText, splitYaqlText } from './text-parts';
import { stringOf } from '../values/text';
import { yaqlTypeName } from '../values/kinds';

const DIGITS = '0123456789';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
const WHITESPACE = ' \t\n\r\v\f';

/** The parameters of `characters`, with the characters that each adds. */
const SETS: Readonly<Record<string, string>> = {
  digits: DIGITS,
  hexdigits: `${DIGITS}abcdefABCDEF`,
  asciiLowercase: LOWER,
  asciiUppercase: UPPER,
  asciiLetters: LOWER + UPPER,
  letters: LOWER + UPPER,
  octdigits: '01234567',
  punctuation: PUNCTUATION,
  printable: DIGITS + LOWER + UPPER + PUNCTUATION + WHITESPACE,
  lowercase: LOWER,
  uppercase: UPPER,
  whitespace: WHITESPACE,
};

const CHARACTER_SETS = Object.keys(SETS);

/** The distinct characters of the chosen sets, in a fixed order. */
const charactersOf = (...chosen: readonly (boolean | null)[]): readonly string[] => [
  ...new Set(CHARACTER_SETS.filter((_name, index) => chosen[index] === true).map((name) => SETS[name]).join('')),
]; // oxfmt-ignore

export const stringFunctions: readonly Overload[] = [
  define('concat', 'F', '*args:str', (parts: readonly string[]) => joinTexts(parts, '')),
  define('toUpper', 'M', 'string:str', (text: string) => grown(text.toUpperCase())),
  define('toLower', 'M', 'string:str', (text: string) => grown(text.toLowerCase())),
  define('len', 'FM', 'string:str', textLength),
  define('split', 'M', 'string:str, separator:str?=null, maxSplits:count=-1', splitYaqlText),
  define('rightSplit', 'M', 'string:str, separator:str?=null, maxSplits:count=-1', rightSplitText),
  define('join', 'M', 'sequence:iter, separator:str', joinItems),
  define('join', 'M', 'separator:str, sequence:iter', (separator: string, items: Iterable<unknown>) =>
    joinItems(items, separator)),
  define('str', 'F', 'value:any', stringOf),
  define('trim', 'M', 'string:str, chars:str?=null', strip),
  define('trimLeft', 'M', 'string:str, chars:str?=null', stripLeft),
  define('trimRight', 'M', 'string:str, chars:str?=null', stripRight),
  define('norm', 'FM', 'string:str?, chars:str?=null', (text: string | null, set: string | null) =>
    text === null ? null : strip(text, set) || null),
  define('isEmpty', 'FM', 'string:str?, trim:bool=true, chars:str?=null', (text: string | null, trim: boolean, set: string | null) =>
    text === null || (trim ? strip(text, set) : text) === ''),
  define('replace', 'M', 'string:str, old:str, new:str, count:count=-1', replaceText),
  define('replace', 'M', 'string:str, replacements:dict, count:count=-1', (text: string, by: DictLike, count: number) => {
    let result = text;
    for (const [old, replacement] of yaqlDictEntries(by)) {
      result = replaceText(result, stringOf(old), stringOf(replacement), count);
    }
    return result;
  }),
  define('substring', 'M', 'string:str, start:count, length:count=-1', substring),
  define('indexOf', 'M', 'string:str, sub:str, start:count=0', (text: string, sub: string, start: number) =>
    findText(text, sub, start)),
  define('indexOf', 'M', 'string:str, sub:str, start:count, length:count', (text: string, sub: string, start: number, length: number) =>
    findTextWithin(text, sub, start, length)),
  define('lastIndexOf', 'M', 'string:str, sub:str, start:count=0', (text: string, sub: string, start: number) =>
    findText(text, sub, start, Infinity, true)),
  define('lastIndexOf', 'M', 'string:str, sub:str, start:count, length:count', (text: string, sub: string, start: number, length: number) =>
    findTextWithin(text, sub, start, length, true)),
  define('toCharArray', 'M', 'string:str', (text: string) => {
    budget().collection(text.length);
    return [...text];
  }),
  define('characters', 'F', CHARACTER_SETS.map((name) => `${name}:bool?=false`).join(', '), charactersOf),
  define('isString', 'F', 'arg:any', (value: unknown) => typeof value === 'string'),
  define('startsWith', 'M', 'string:str, *prefixes:str', (text: string, prefixes: readonly string[]) =>
    prefixes.some((prefix) => text.startsWith(prefix))),
  define('endsWith', 'M', 'string:str, *suffixes:str', (text: string, suffixes: readonly string[]) =>
    suffixes.some((suffix) => text.endsWith(suffix))),
  define('hex', 'F', 'num:num?', hex),
]; // oxfmt-ignore

function grown(text: string): string {
  budget().text(text.length);
  return text;
}

function joinItems(items: Iterable<unknown>, separator: string): string {
  const parts: string[] = [];
  let length = 0;
  for (const item of items) {
    const part = stringOf(item);
    length += part.length + separator.length;
    budget().room(length);
    parts.push(part);
  }
  return joinTexts(parts, separator);
}

function joinTexts(parts: readonly string[], separator: string): string {
  let length = separator.length * parts.length;
  for (const part of parts) length += part.length;
  budget().text(length);
  return parts.join(separator);
}

/** A negative count means all. An empty text matches between all characters and at both ends. */
function replaceText(text: string, old: string, by: string, count: number): string {
  if (count === 0) return text;
  budget().collection(old === '' ? text.length : 0);
  const parts = old === '' ? ['', ...chars(text), ''] : text.split(old);
  const most = count < 0 ? parts.length - 1 : Math.min(count, parts.length - 1);
  budget().text(text.length + most * (by.length - old.length));
  return most === parts.length - 1 ? parts.join(by) : [...parts.slice(0, most), parts.slice(most).join(old)].join(by);
}

function substring(text: string, start: number, length: number): string {
  const all = chars(text);
  const from = start < 0 ? start + all.length : start;
  return all.slice(...sliceBounds(all.length, from, from + (length < 0 ? all.length : length))).join('');
}

function hex(value: Numeric | null): string {
  if (value === null || isFloat(value)) {
    throw typeError(`'${yaqlTypeName(value)}' object cannot be interpreted as an integer`);
  }
  const whole = BigInt(value);
  return whole < 0n ? `-0x${(-whole).toString(16)}` : `0x${whole.toString(16)}`;
}

/**
 * Python's `find` (or `rfind`), counting in characters: where `sub` is in `text[start:stop]`, or -1. A negative start
 * counts from the end.
 */
function findText(text: string, sub: string, start: number, stop = Infinity, last = false): number {
  const length = textLength(text);
  const [from, to] = sliceBounds(length, start, stop);
  if (start > length || from > to) return -1;
  const [begin, end] = [unitsBefore(text, length, from), unitsBefore(text, length, to)];
  const part = text.slice(begin, end);
  const found = last ? part.lastIndexOf(sub) : part.indexOf(sub);
  return found < 0 ? -1 : from + textLength(part.slice(0, found));
}

/** The same within `length` characters from the start; a negative length means up to the end. */
function findTextWithin(text: string, sub: string, start: number, length: number, last = false): number {
  const all = textLength(text);
  const from = start < 0 ? start + all : start;
  return findText(text, sub, from, from + (length < 0 ? all - from : length), last);
}

/** How many UTF-16 units precede that character. */
function unitsBefore(text: string, length: number, index: number): number {
  if (length === text.length) return index;
  let units = 0;
  for (let at = 0; at < index; at += 1) units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1;
  return units;
}
