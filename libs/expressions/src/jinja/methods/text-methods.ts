import { filterOperation, type Operations } from '../run/operation';
import { formatBraces } from '../format/brace';
import type { JinjaRendering } from '../run/run';
import { isJinjaList, tuple, jinjaTypeName } from '../values/collections';
import { JinjaError } from '../values/jinja-error';
import { intArgument } from '../values/plain';
import { chars, iterate, textLength } from '../values/sequence';
import { toText } from '../values/text';
import { replaceText, splitLines, splitJinjaText, stripText, titleText } from './text-parts';

const matches = (pattern: RegExp) => filterOperation([], (text: string) => pattern.test(text));

const hasCase = (text: string): boolean => text.toLowerCase() !== text.toUpperCase();

/** `isdigit()` and similar checks of Python's `str`. */
const textChecks: Operations = {
  isdigit: matches(/^\p{Nd}+$/u),
  isdecimal: matches(/^\p{Nd}+$/u),
  isnumeric: matches(/^\p{N}+$/u),
  isalpha: matches(/^\p{L}+$/u),
  isalnum: matches(/^[\p{L}\p{N}]+$/u),
  isspace: matches(/^\s+$/u),
  isascii: matches(/^[\0-\x7f]*$/),
  isidentifier: matches(/^[\p{L}_][\p{L}\p{Nd}_]*$/u),
  isprintable: matches(/^[^\p{C}\p{Zl}\p{Zp}]*$/u),
  islower: filterOperation([], (text: string) => hasCase(text) && text === text.toLowerCase()),
  isupper: filterOperation([], (text: string) => hasCase(text) && text === text.toUpperCase()),
  istitle: filterOperation(
    [],
    (text: string) => /\p{L}/u.test(text) && !/(?<!\p{L})\p{Ll}|(?<=\p{L})\p{Lu}/u.test(text),
  ),
};

const plain = (body: (text: string) => unknown) => filterOperation([], body);

/** Python's `str` methods. */
export const textMethods: Operations = {
  ...textChecks,
  upper: plain((text) => text.toUpperCase()),
  lower: plain((text) => text.toLowerCase()),
  casefold: plain((text) => text.toLowerCase().replaceAll('ß', 'ss')),
  capitalize: plain((text) => text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase()),
  title: plain(titleText),
  swapcase: plain((text) => swapCase(text)),
  strip: filterOperation(['chars'], (text: string, _run, set = null) => stripText(text, set, 'both')),
  lstrip: filterOperation(['chars'], (text: string, _run, set = null) => stripText(text, set, 'start')),
  rstrip: filterOperation(['chars'], (text: string, _run, set = null) => stripText(text, set, 'end')),
  split: filterOperation(['sep', 'maxsplit'], (text: string, _run, sep = null, max = -1) => splitJinjaText(text, sep, max)),
  rsplit: filterOperation(['sep', 'maxsplit'], (text: string, _run, sep = null, max = -1) => splitJinjaText(text, sep, max, true)),
  splitlines: filterOperation(['keepends'], (text: string, _run, keep = false) => splitLines(text, keep === true)),
  partition: filterOperation(['sep'], (text: string, _run, sep) => partition(text, textArgument(sep), text.indexOf(textArgument(sep)))),
  rpartition: filterOperation(['sep'], (text: string, _run, sep) => partition(text, textArgument(sep), text.lastIndexOf(textArgument(sep)), true)),
  replace: filterOperation(['old', 'new', 'count'], (text: string, run, old, by, count = -1) =>
    replaceText(text, textArgument(old), textArgument(by), intArgument(count, 'count'), run)),
  join: filterOperation(['iterable'], joinItems),
  startswith: filterOperation(['prefix'], (text: string, _run, prefix) => anyOf(prefix, (each) => text.startsWith(each))),
  endswith: filterOperation(['suffix'], (text: string, _run, suffix) => anyOf(suffix, (each) => text.endsWith(each))),
  removeprefix: filterOperation(['prefix'], (text: string, _run, prefix) =>
    text.startsWith(textArgument(prefix)) ? text.slice(textArgument(prefix).length) : text),
  removesuffix: filterOperation(['suffix'], (text: string, _run, suffix) =>
    textArgument(suffix) !== '' && text.endsWith(textArgument(suffix))
      ? text.slice(0, -textArgument(suffix).length)
      : text),
  find: filterOperation(['sub', 'start', 'end'], (text: string, _run, ...args) => find(text, args, false)),
  rfind: filterOperation(['sub', 'start', 'end'], (text: string, _run, ...args) => find(text, args, true)),
  index: filterOperation(['sub', 'start', 'end'], (text: string, _run, ...args) => found(find(text, args, false))),
  rindex: filterOperation(['sub', 'start', 'end'], (text: string, _run, ...args) => found(find(text, args, true))),
  count: filterOperation(['sub'], (text: string, _run, sub) => countOf(text, textArgument(sub))),
  zfill: filterOperation(['width'], (text: string, run, width) => zeroFill(text, intArgument(width, 'width'), run)),
  ljust: filterOperation(['width', 'fillchar'], (text: string, run, width, fill = ' ') => text + padding(text, width, fill, run)),
  rjust: filterOperation(['width', 'fillchar'], (text: string, run, width, fill = ' ') => padding(text, width, fill, run) + text),
  center: filterOperation(['width', 'fillchar'], (text: string, run, width, fill = ' ') => centerText(text, width, fill, run)),
  expandtabs: filterOperation(['tabsize'], (text: string, run, size = 8) => expandTabs(text, intArgument(size, 'tabsize'), run)),
  format: (run, text, args, named) => formatBraces(text as string, args, named, run),
  encode: filterOperation(['encoding', 'errors'], (text: string) => text),
  decode: filterOperation(['encoding', 'errors'], (text: string) => text),
}; // oxfmt-ignore

function textArgument(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new JinjaError('TypeError', `must be str, not ${jinjaTypeName(value ?? null)}`);
}

const swapCase = (text: string): string =>
  chars(text).map((char) => (char === char.toUpperCase() ? char.toLowerCase() : char.toUpperCase())).join(''); // oxfmt-ignore

function anyOf(value: unknown, test: (each: string) => boolean): boolean {
  return isJinjaList(value) ? value.some((each) => test(textArgument(each))) : test(textArgument(value));
}

function partition(text: string, separator: string, at: number, fromEnd = false): unknown {
  if (separator === '') throw new JinjaError('ValueError', 'empty separator');
  if (at < 0) return tuple(fromEnd ? ['', '', text] : [text, '', '']);
  return tuple([text.slice(0, at), separator, text.slice(at + separator.length)]);
}

function joinItems(separator: string, run: JinjaRendering, items: unknown): string {
  const texts = iterate(items).map((item, index) => {
    if (typeof item === 'string') return item;
    throw new JinjaError('TypeError', `sequence item ${index}: expected str instance, ${jinjaTypeName(item)} found`);
  });
  run.budget.produce(texts.reduce((sum, each) => sum + each.length + separator.length, 0));
  return texts.join(separator);
}

function find(text: string, [sub, start = 0, end = null]: unknown[], last: boolean): number {
  const characters = chars(text);
  const bound = (value: unknown, fallback: number) => {
    if (value === null) return fallback;
    const index = intArgument(value, 'slice indices');
    return index < 0 ? Math.max(0, index + characters.length) : index;
  };
  const from = bound(start, 0);
  const part = characters.slice(from, bound(end, characters.length)).join('');
  const at = last ? part.lastIndexOf(textArgument(sub)) : part.indexOf(textArgument(sub));
  return at < 0 ? -1 : from + textLength(part.slice(0, at));
}

function found(index: number): number {
  if (index < 0) throw new JinjaError('ValueError', 'substring not found');
  return index;
}

const countOf = (text: string, sub: string): number => (sub === '' ? textLength(text) + 1 : text.split(sub).length - 1);

function padding(text: string, width: unknown, fill: unknown, run: JinjaRendering): string {
  const missing = intArgument(width, 'width') - textLength(text);
  if (missing <= 0) return '';
  run.budget.produce(missing);
  return toText(fill).repeat(missing);
}

/** Centers a text in a field, with an odd blank on the same side as in Python. */
export function centerText(text: string, width: unknown, fill: unknown, run: JinjaRendering): string {
  const total = intArgument(width, 'width');
  const missing = total - textLength(text);
  if (missing <= 0) return text;
  run.budget.produce(total);
  const left = Math.floor(missing / 2) + (missing & total & 1);
  return toText(fill).repeat(left) + text + toText(fill).repeat(missing - left);
}

function zeroFill(text: string, width: number, run: JinjaRendering): string {
  const sign = /^[+-]/.exec(text)?.[0] ?? '';
  return sign + padding(text, width, '0', run) + text.slice(sign.length);
}

function expandTabs(text: string, size: number, run: JinjaRendering): string {
  run.budget.produce(text.length + text.split('\t').length * size);
  return text.split('\n').map((line) => line.split('\t').reduce((out, part, index) =>
    index === 0 ? part : out + ' '.repeat(size > 0 ? size - (textLength(out) % size) : 0) + part, '')).join('\n'); // oxfmt-ignore
}
