import { budget } from '../run/budget';
import type { Lambda } from '../run/frame';
import { define, type Overload } from '../run/overload';
import { typeError, YaqlFailure } from '../values/failure';
import { Lazy, plainList, type PlainList } from '../values/collections';
import { RegexValue } from '../values/regex-value';
import { yaqlTypeName } from '../values/kinds';
import { textLength } from '../../jinja/values/sequence';
import { YaqlDict } from '../values/dict';

/** Defines both orders of pattern and text: `regex.split(text)` and `text.split(regex)`. */
const eitherWay = (names: string, rest: string, body: (regex: RegexValue, text: string, ...more: never[]) => unknown) => [
  define(names, 'M', `regexp:rx, string:str${rest}`, body),
  define(names, 'M', `string:str, regexp:rx${rest}`, (text: string, regex: RegexValue, ...more: never[]) =>
    body(regex, text, ...more)),
]; // oxfmt-ignore

export const regexFunctions: readonly Overload[] = [
  define('regex', 'F', 'pattern:str, ignoreCase:bool?=false, multiLine:bool?=false, dotAll:bool?=false',
    (pattern: string, ignoreCase: boolean, multiLine: boolean, dotAll: boolean) =>
      new RegexValue(pattern, `${ignoreCase ? 'i' : ''}${multiLine ? 'm' : ''}${dotAll ? 's' : ''}`)),
  define('matches', 'M', 'regexp:rx, string:str', (regex: RegexValue, text: string) => regex.test(text)),
  define('matches', 'M', 'string:str, regexp:str', (text: string, pattern: string) => new RegexValue(pattern).test(text)),
  define('search', 'M', 'regexp:rx, string:str, selector:fn=null', (regex: RegexValue, text: string, selector: Lambda | null) => {
    const match = regex.exec(text);
    return match === null ? null : selected(match, text, selector);
  }),
  define('searchAll', 'M', 'regexp:rx, string:str, selector:fn=null', (regex: RegexValue, text: string, selector: Lambda | null) =>
    new Lazy(searchAll(regex, text, selector))),
  ...eitherWay('split', ', maxSplit:count=0', split),
  ...eitherWay('replace', ', repl:str, count:count=0', replace),
  ...eitherWay('replaceBy', ', repl:fn, count:count=0', replaceBy),
  define('escapeRegex', 'F', 'string:str', (text: string) => text.replace(/[()[\]{}?*+\-|^$\\.&~# \t\n\r\v\f]/g, '\\$&')),
  define('isRegex', 'F', 'value:any', (value: unknown) => value instanceof RegexValue),
]; // oxfmt-ignore

function selected(match: RegExpExecArray, text: string, selector: Lambda | null): unknown {
  if (selector === null) return match[0];
  const { groups, names } = matchRecords(match, text);
  return selector.callNamed(groups, names);
}

function* searchAll(regex: RegexValue, text: string, selector: Lambda | null): Generator<unknown> {
  for (const match of regex.matches(text)) yield selected(match, text, selector);
}

/** The first `count` matches: 0 means all, a negative number none. */
function* most(regex: RegexValue, text: string, count: number): Generator<RegExpExecArray> {
  if (count < 0) return;
  let found = 0;
  for (const match of regex.matches(text)) {
    budget().element(found + 1);
    yield match;
    found += 1;
    if (found === count) return;
  }
}

/** The result contains the groups of the pattern between the parts. */
function split(regex: RegexValue, text: string, count: number): PlainList {
  const parts: unknown[] = [];
  let at = 0;
  for (const match of most(regex, text, count)) {
    parts.push(text.slice(at, match.index), ...match.slice(1).map((group) => group ?? null));
    at = match.index + match[0].length;
  }
  return plainList([...parts, text.slice(at)]);
}

function replace(regex: RegexValue, text: string, template: string, count: number): string {
  return replaced(regex, text, count, (match) => expandTemplate(template, match));
}

function replaceBy(regex: RegexValue, text: string, replacement: Lambda, count: number): string {
  return replaced(regex, text, count, (match) => {
    const value = selected(match, text, replacement);
    if (value === null) return '';
    if (typeof value === 'string') return value;
    throw typeError(`sequence item 1: expected str instance, ${yaqlTypeName(value)} found`);
  });
}

function replaced(regex: RegexValue, text: string, count: number, by: (match: RegExpExecArray) => string): string {
  const parts: string[] = [];
  let [at, length] = [0, text.length];
  for (const match of most(regex, text, count)) {
    const part = by(match);
    length += part.length;
    budget().room(length);
    parts.push(text.slice(at, match.index), part);
    at = match.index + match[0].length;
  }
  budget().text(length);
  return parts.join('') + text.slice(at);
}

/** A match as passed to selectors: `$` or `$1` is the whole match, `$2` its first group; named groups are variables. */
interface MatchRecords {
  readonly groups: readonly YaqlDict[];
  readonly names: ReadonlyMap<string, YaqlDict>;
}

/** @param match with the indices of its groups */
function matchRecords(match: RegExpExecArray, text: string): MatchRecords {
  const { indices } = match;
  const groups = Array.from(match, (value: string | undefined, index) => record(value, indices?.[index], text));
  const named = Object.entries<string | undefined>(match.groups ?? {});
  const names = new Map(named.map(([name, value]) => [name, record(value, indices?.groups?.[name], text)]));
  return { groups, names };
}

/** @param place in UTF-16 units */
function record(value: string | undefined, place: readonly number[] | undefined, text: string): YaqlDict {
  if (value === undefined) return new YaqlDict([['value', null], ['start', -1], ['end', -1]]); // oxfmt-ignore
  const start = textLength(text.slice(0, place?.[0]));
  return new YaqlDict([['value', value], ['start', start], ['end', start + textLength(value)]]); // oxfmt-ignore
}

const REFERENCE = /\\(?:g<([^>]*)>|([1-9]\d?)|([\s\S]))/g;

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '0': '\0',
  '\\': '\\',
};

/**
 * Expands Python's replacement syntax: `\1`, `\g<1>`, `\g<name>` and the usual escapes; a group that did not match is
 * empty.
 */
function expandTemplate(template: string, match: RegExpExecArray): string {
  if (!template.includes('\\')) return template;
  return template.replace(REFERENCE, (all, name?: string, number?: string, char?: string) => {
    if (char !== undefined) return ESCAPES[char] ?? (/[a-zA-Z]/.test(char) ? bad(`bad escape ${all}`) : all);
    const key = name ?? number ?? '';
    if (!/^\d+$/.test(key)) return namedGroup(match, key);
    const index = Number(key);
    return index < match.length ? (match[index] ?? '') : bad(`invalid group reference ${index}`);
  });
}

function namedGroup(match: RegExpExecArray, name: string): string {
  if (!Object.hasOwn(match.groups ?? {}, name)) {
    throw new YaqlFailure('IndexError', `unknown group name '${name}'`);
  }
  return match.groups?.[name] ?? '';
}

function bad(message: string): never {
  throw new YaqlFailure('error', message);
}
