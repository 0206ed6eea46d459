import type { Numeric } from '../../jinja/values/number';
import { isFloat } from '../../jinja/values/number';
import { chars, textLength } from '../../jinja/values/sequence';
import { budget } from '../run/budget';
import { define, type Overload } from '../run/overload';
import { type DictLike, dictEntries } from '../values/dict';
import { typeError } from '../values/failure';
import { sliceBounds, strip, stripLeft, stripRight } from '../values/python-text';
import { stringOf } from '../values/text';
import { typeName } from '../values/type-name';
import { CHARACTER_SETS, charactersOf } from './character-sets';
import { findText, findTextWithin } from './find-text';
import { rightSplitText, splitText } from './split-text';

export const stringFunctions: readonly Overload[] = [
  define('concat', 'F', '*args:str', (parts: readonly string[]) => joinTexts(parts, '')),
  define('toUpper', 'M', 'string:str', (text: string) => grown(text.toUpperCase())),
  define('toLower', 'M', 'string:str', (text: string) => grown(text.toLowerCase())),
  define('len', 'FM', 'string:str', textLength),
  define('split', 'M', 'string:str, separator:str?=null, maxSplits:count=-1', splitText),
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
    for (const [old, replacement] of dictEntries(by)) {
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
]; // prettier-ignore

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

/** A negative count means all. An empty text stands between all characters, and at both ends. */
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
    throw typeError(`'${typeName(value)}' object cannot be interpreted as an integer`);
  }
  const whole = BigInt(value);
  return whole < 0n ? `-0x${(-whole).toString(16)}` : `0x${whole.toString(16)}`;
}
