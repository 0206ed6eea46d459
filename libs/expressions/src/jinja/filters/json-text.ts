import { textOrder } from '@switchyard/model';
import { charge, chargeFor } from '../run/budget';
import { jinjaDictEntries, isJinjaDict, isJinjaList } from '../values/collections';
import { JinjaError } from '../values/jinja-error';
import { isNumber } from '../values/number';
import { intArgument, notData } from '../values/plain';
import { numberText, toText } from '../values/text';
import { Undefined } from '../values/undefined';

export interface JsonLayout {
  readonly indent: string | undefined;
  readonly sortKeys: boolean;
  /** Between items, and between a key and its value. */
  readonly separators: readonly [string, string];
}

const DEEPEST = 500;

/** JSON as Python writes it: non-ASCII characters are escaped, floats keep their decimal point. */
export function jsonText(value: unknown, layout: JsonLayout, depth = 0): string {
  charge(1);
  if (depth > DEEPEST) throw new JinjaError('RecursionError', 'maximum recursion depth exceeded');
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return jsonQuote(value);
  if (typeof value === 'boolean') return String(value);
  if (isNumber(value)) return numberText(value).replace('inf', 'Infinity').replace('nan', 'NaN');
  if (isJinjaList(value)) {
    return wrap(
      '[',
      value.map((item) => jsonText(item, layout, depth + 1)),
      ']',
      layout,
      depth,
    );
  }
  if (isJinjaDict(value)) return dictText(jinjaDictEntries(value), layout, depth);
  if (value instanceof Undefined) return value.fail();
  return notData(value);
}

function dictText(entries: [unknown, unknown][], layout: JsonLayout, depth: number): string {
  const named = entries.map(([key, item]) => [keyText(key), item] as const);
  if (layout.sortKeys) named.sort(([a], [b]) => textOrder(a, b));
  const parts = named.map(([key, item]) => jsonQuote(key) + layout.separators[1] + jsonText(item, layout, depth + 1));
  return wrap('{', parts, '}', layout, depth);
}

function keyText(key: unknown): string {
  return key === null || typeof key === 'boolean' ? String(key) : toText(key);
}

function wrap(open: string, parts: string[], close: string, layout: JsonLayout, depth: number): string {
  if (layout.indent === undefined || parts.length === 0) return open + parts.join(layout.separators[0]) + close;
  const inner = `\n${layout.indent.repeat(depth + 1)}`;
  return `${open}${inner}${parts.join(layout.separators[0] + inner)}\n${layout.indent.repeat(depth)}${close}`;
}

export function jsonQuote(text: string): string {
  chargeFor(text);
  return JSON.stringify(text).replace(
    /[\x7f-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The `indent` argument of Python's `json.dumps`. */
export const indentOf = (indent: unknown): string | undefined =>
  indent === null || indent === undefined
    ? undefined
    : typeof indent === 'string'
      ? indent
      : ' '.repeat(Math.min(100, Math.max(0, intArgument(indent, 'indent'))));

const HTML_ESCAPES: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  "'": '\\u0027',
};

/** Jinja2's `tojson`: sorted keys, safe inside HTML. */
export function htmlSafeJson(value: unknown, indent: unknown): string {
  const text = indentOf(indent);
  const layout = { indent: text, sortKeys: true, separators: [text === undefined ? ', ' : ',', ': '] } as const;
  return jsonText(value, layout).replace(/[<>&']/g, (char) => HTML_ESCAPES[char] ?? char);
}
