import { formatPercent } from '../format/percent';
import { centerText } from '../methods/text-methods';
import { replaceText, stripText } from '../methods/text-parts';
import { operation, type Operations } from '../run/operation';
import type { Run } from '../run/run';
import { dictEntries, isDict, isList, tuple } from '../values/collections';
import { intArgument } from '../values/plain';
import { chars, iterate, textLength, truth } from '../values/sequence';
import { toText } from '../values/text';
import { filterLines, splitForIndent } from './indent';
import { wordWrap } from './word-wrap';

const ofText = (body: (text: string) => unknown) => operation([], (value) => body(toText(value)));

/** Jinja2's filters that make texts. */
export const textFilters: Operations = {
  string: ofText((text) => text),
  upper: ofText((text) => text.toUpperCase()),
  lower: ofText((text) => text.toLowerCase()),
  capitalize: ofText((text) => text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase()),
  title: ofText((text) => text.replace(/[^-\s({[<]+/g, (word) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase())),
  trim: operation(['chars'], (value, _run, set = null) => stripText(toText(value), set, 'both')),
  striptags: ofText((text) => withoutTags(text).trim().replace(/\s+/g, ' ')),
  escape: ofText(escapeHtml),
  e: ofText(escapeHtml),
  forceescape: ofText(escapeHtml),
  safe: ofText((text) => text),
  wordcount: ofText((text) => text.match(/[\p{L}\p{N}_]+/gu)?.length ?? 0),
  replace: operation(['old', 'new', 'count'], (value, run, old, by, count = null) =>
    replaceText(toText(value), toText(old), toText(by), count === null ? -1 : intArgument(count, 'count'), run), 2),
  center: operation(['width'], (value, run, width = 80) => centerText(toText(value), width, ' ', run)),
  indent: operation(['width', 'first', 'blank'], (value, run, width = 4, first = false, blank = false) =>
    indent(toText(value), width, truth(first), truth(blank), run)),
  truncate: operation(['length', 'killwords', 'end', 'leeway'], (value, _run, length = 255, kill = false, end = '...', leeway = 5) =>
    truncate(toText(value), intArgument(length, 'length'), truth(kill), toText(end), leeway === null ? 5 : intArgument(leeway, 'leeway'))),
  wordwrap: operation(['width', 'break_long_words', 'wrapstring', 'break_on_hyphens'],
    (value, run, width = 79, breakLong = true, wrap = null, hyphens = true) => wordWrap(toText(value), {
      width: intArgument(width, 'width'), breakLongWords: truth(breakLong), separator: wrap === null ? '\n' : toText(wrap), breakOnHyphens: truth(hyphens),
    }, run)),
  format: (run, text, args, named) =>
    formatPercent(toText(text), Object.keys(named).length > 0 ? new Map(Object.entries(named)) : tuple(args), run),
  urlencode: operation([], (value) => urlEncode(value)),
  xmlattr: operation(['autospace'], (value, _run, space = true) => xmlAttributes(value, truth(space))),
}; // prettier-ignore

/** One pass, so that a text of opening brackets costs no more than others. */
function withoutTags(text: string): string {
  let result = '';
  let at = 0;
  for (let open = text.indexOf('<'); open >= 0; open = text.indexOf('<', at)) {
    const mark = text.startsWith('<!--', open) ? '-->' : '>';
    const close = text.indexOf(mark, open);
    if (close < 0) break;
    result += text.slice(at, open);
    at = close + mark.length;
  }
  return result + text.slice(at);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  "'": '&#39;',
  '"': '&#34;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>'"]/g, (char) => ENTITIES[char] ?? char);
}

function truncate(text: string, length: number, kill: boolean, end: string, leeway: number): string {
  if (textLength(text) <= length + leeway) return text;
  const head = chars(text).slice(0, Math.max(0, length - textLength(end))).join(''); // prettier-ignore
  if (kill) return head + end;
  const blank = head.lastIndexOf(' ');
  return (blank < 0 ? head : head.slice(0, blank)) + end;
}

function indent(text: string, width: unknown, first: boolean, blank: boolean, run: Run): string {
  const prefix = typeof width === 'string' ? width : ' '.repeat(checkedWidth(intArgument(width, 'width'), run));
  const lines = splitForIndent(text);
  run.budget.produce(text.length + lines.length * prefix.length);
  const rest = filterLines(lines.slice(1), prefix, blank);
  return (first ? prefix : '') + [lines[0] ?? '', ...rest].join('\n');
}

function checkedWidth(width: number, run: Run): number {
  run.budget.produce(width);
  return Math.max(0, width);
}

/** A dictionary or a list of pairs becomes a query, anything else a part of a path. */
function urlEncode(value: unknown): string {
  if (!isDict(value) && !isList(value)) return quote(toText(value), '/');
  const pairs = isDict(value) ? dictEntries(value) : value.map((pair) => iterate(pair));
  const part = (each: unknown) => quote(toText(each), '').replaceAll('%20', '+');
  return pairs.map(([key, item]) => `${part(key)}=${part(item)}`).join('&');
}

const quote = (text: string, safe: string): string =>
  encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd'))
    .replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%2F', safe === '/' ? '/' : '%2F');

function xmlAttributes(value: unknown, space: boolean): string {
  if (!isDict(value)) return '';
  const present = dictEntries(value).filter(([, item]) => item !== null);
  const text = present.map(([key, item]) => `${escapeHtml(toText(key))}="${escapeHtml(toText(item))}"`).join(' ');
  return space && text !== '' ? ` ${text}` : text;
}
