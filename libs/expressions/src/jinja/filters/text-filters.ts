import { formatPercent } from '../format/percent';
import { centerText } from '../methods/text-methods';
import { replaceText, stripText, splitLines } from '../methods/text-parts';
import { filterOperation, type Operations } from '../run/operation';
import type { JinjaRendering } from '../run/run';
import { jinjaDictEntries, isJinjaDict, isJinjaList, tuple } from '../values/collections';
import { intArgument } from '../values/plain';
import { chars, iterate, textLength, jinjaTruth } from '../values/sequence';
import { toText } from '../values/text';
import { wordWrap } from './word-wrap';

const ofText = (body: (text: string) => unknown) => filterOperation([], (value) => body(toText(value)));

/** Jinja2's text filters. */
export const textFilters: Operations = {
  string: ofText((text) => text),
  upper: ofText((text) => text.toUpperCase()),
  lower: ofText((text) => text.toLowerCase()),
  capitalize: ofText((text) => text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase()),
  title: ofText((text) => text.replace(/[^-\s({[<]+/g, (word) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase())),
  trim: filterOperation(['chars'], (value, _run, set = null) => stripText(toText(value), set, 'both')),
  striptags: ofText((text) => withoutTags(text).trim().replace(/\s+/g, ' ')),
  escape: ofText(escapeHtml),
  e: ofText(escapeHtml),
  forceescape: ofText(escapeHtml),
  safe: ofText((text) => text),
  wordcount: ofText((text) => text.match(/[\p{L}\p{N}_]+/gu)?.length ?? 0),
  replace: filterOperation(['old', 'new', 'count'], (value, run, old, by, count = null) =>
    replaceText(toText(value), toText(old), toText(by), count === null ? -1 : intArgument(count, 'count'), run), 2),
  center: filterOperation(['width'], (value, run, width = 80) => centerText(toText(value), width, ' ', run)),
  indent: filterOperation(['width', 'first', 'blank'], (value, run, width = 4, first = false, blank = false) =>
    indent(toText(value), width, jinjaTruth(first), jinjaTruth(blank), run)),
  truncate: filterOperation(['length', 'killwords', 'end', 'leeway'], (value, _run, length = 255, kill = false, end = '...', leeway = 5) =>
    truncate(toText(value), intArgument(length, 'length'), jinjaTruth(kill), toText(end), leeway === null ? 5 : intArgument(leeway, 'leeway'))),
  wordwrap: filterOperation(['width', 'break_long_words', 'wrapstring', 'break_on_hyphens'],
    (value, run, width = 79, breakLong = true, wrap = null, hyphens = true) => wordWrap(toText(value), {
      width: intArgument(width, 'width'), breakLongWords: jinjaTruth(breakLong), separator: wrap === null ? '\n' : toText(wrap), breakOnHyphens: jinjaTruth(hyphens),
    }, run)),
  format: (run, text, args, named) =>
    formatPercent(toText(text), Object.keys(named).length > 0 ? new Map(Object.entries(named)) : tuple(args), run),
  urlencode: filterOperation([], (value) => urlEncode(value)),
  xmlattr: filterOperation(['autospace'], (value, _run, space = true) => xmlAttributes(value, jinjaTruth(space))),
}; // oxfmt-ignore

/** A single pass, so that a text full of opening brackets costs no more than others. */
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
  const head = chars(text).slice(0, Math.max(0, length - textLength(end))).join(''); // oxfmt-ignore
  if (kill) return head + end;
  const blank = head.lastIndexOf(' ');
  return (blank < 0 ? head : head.slice(0, blank)) + end;
}

function indent(text: string, width: unknown, first: boolean, blank: boolean, run: JinjaRendering): string {
  const prefix = typeof width === 'string' ? width : ' '.repeat(checkedWidth(intArgument(width, 'width'), run));
  const lines = splitForIndent(text);
  run.budget.produce(text.length + lines.length * prefix.length);
  const rest = filterLines(lines.slice(1), prefix, blank);
  return (first ? prefix : '') + [lines[0] ?? '', ...rest].join('\n');
}

function checkedWidth(width: number, run: JinjaRendering): number {
  run.budget.produce(width);
  return Math.max(0, width);
}

/** Encodes a dictionary or list of pairs as a query, anything else as part of a path. */
function urlEncode(value: unknown): string {
  if (!isJinjaDict(value) && !isJinjaList(value)) return quote(toText(value), '/');
  const pairs = isJinjaDict(value) ? jinjaDictEntries(value) : value.map((pair) => iterate(pair));
  const part = (each: unknown) => quote(toText(each), '').replaceAll('%20', '+');
  return pairs.map(([key, item]) => `${part(key)}=${part(item)}`).join('&');
}

const quote = (text: string, safe: string): string =>
  encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd'))
    .replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%2F', safe === '/' ? '/' : '%2F');

function xmlAttributes(value: unknown, space: boolean): string {
  if (!isJinjaDict(value)) return '';
  const present = jinjaDictEntries(value).filter(([, item]) => item !== null);
  const text = present.map(([key, item]) => `${escapeHtml(toText(key))}="${escapeHtml(toText(item))}"`).join(' ');
  return space && text !== '' ? ` ${text}` : text;
}

/** The lines of a text, with an empty one after a final newline. */
const splitForIndent = (text: string): string[] => splitLines(`${text}\n`, false);

/** Prefixes the lines; empty ones only if `blank` is set. */
const filterLines = (lines: readonly string[], prefix: string, blank: boolean): string[] =>
  lines.map((line) => (line !== '' || blank ? prefix + line : line));
