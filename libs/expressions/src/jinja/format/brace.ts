import { getAttribute, getItem } from '../values/attributes';
import { JinjaError } from '../values/jinja-error';
import { repr, toText, floatText } from '../values/text';
import type { Named } from '../run/operation';
import type { JinjaRendering } from '../run/run';
import { asNumber, isFloat, type Numeric, numeric } from '../values/number';
import { textLength } from '../values/sequence';
import { jinjaTypeName } from '../values/collections';
import { exponential, fixed, general, generalFloat, grouped, integerDigits } from './number-text';

const FIELD = /^([^.[!:]*)((?:\.[^.[!:]+|\[[^\]]*\])*)(?:!([rsa]))?(?::([\s\S]*))?$/;

/** Python's `text.format(…)`: `{}`, `{0}`, `{name.field[key]!r:>8}`, doubled braces. */
export function formatBraces(text: string, args: readonly unknown[], named: Named, run: JinjaRendering): string {
  let automatic = 0;
  const lookUp = (name: string): unknown => {
    if (name !== '' && !/^\d+$/.test(name)) return Object.hasOwn(named, name) ? named[name] : noKey(name);
    const index = name === '' ? automatic++ : Number(name);
    return index < args.length ? args[index] : noIndex(index);
  };
  const result = splitFields(text).map((part) =>
    typeof part === 'string' ? part : formatField(part.field, lookUp, run),
  );
  run.budget.produce(result.reduce((sum, part) => sum + part.length, 0));
  return result.join('');
}

function noKey(name: string): never {
  throw new JinjaError('KeyError', repr(name));
}

function noIndex(index: number): never {
  throw new JinjaError('IndexError', `Replacement index ${index} out of range for positional args tuple`);
}

/** Splits into literal parts and fields; the format of a field may contain braces. */
function splitFields(text: string): (string | { readonly field: string })[] {
  const parts: (string | { readonly field: string })[] = [];
  for (const [part] of text.matchAll(/\{\{|\}\}|\{(?:[^{}]|\{[^{}]*\})*\}|[^{}]+|[{}]/g)) {
    if (part === '{' || part === '}')
      throw new JinjaError('ValueError', `Single '${part}' encountered in format string`);
    if (part === '{{' || part === '}}') parts.push(part.slice(1));
    else parts.push(part.startsWith('{') ? { field: part.slice(1, -1) } : part);
  }
  return parts;
}

function formatField(field: string, lookUp: (name: string) => unknown, run: JinjaRendering): string {
  const found = FIELD.exec(field);
  if (found === null) throw new JinjaError('ValueError', `Invalid format field '${field}'`);
  const [, name = '', path = '', conversion, spec = ''] = found;
  let value = lookUp(name);
  for (const [step] of path.matchAll(/\.[^.[]+|\[[^\]]*\]/g)) {
    const key = step.startsWith('.') ? step.slice(1) : step.slice(1, -1);
    value = step.startsWith('.')
      ? getAttribute(value, key, run)
      : getItem(value, /^\d+$/.test(key) ? Number(key) : key, run);
  }
  if (conversion !== undefined) value = conversion === 's' ? toText(value) : repr(value);
  const inner = spec.replace(/\{([^{}]*)\}/g, (_all: string, each: string) => toText(lookUp(each)));
  return formatSpec(value, inner, run);
}

const SPEC = /^(?:([\s\S])?([<>=^]))?([-+ ])?(#)?(0)?(\d+)?([,_])?(?:\.(\d+))?([bcdeEfFgGnosxX%])?$/u;

interface Spec {
  readonly fill: string;
  readonly align: string | undefined;
  readonly sign: string;
  readonly alternate: boolean;
  readonly width: number;
  readonly separator: string | undefined;
  readonly precision: number | undefined;
  readonly type: string | undefined;
}

/** Applies the format after the colon of `'{:>8.2f}'`. @throws ValueError for a format that does not fit the value */
function formatSpec(value: unknown, text: string, run: JinjaRendering): string {
  if (text === '') return toText(value);
  const spec = parseSpec(text);
  run.budget.produce(Math.max(spec.width, spec.precision ?? 0));
  const number = numeric(value);
  if (number !== undefined && spec.type !== 's') return pad(formatNumber(number, spec), spec, spec.align ?? '>');
  if (spec.type !== undefined && spec.type !== 's') {
    throw new JinjaError(
      'ValueError',
      `Unknown format code '${spec.type}' for object of type '${jinjaTypeName(value)}'`,
    );
  }
  if (spec.separator !== undefined) throw new JinjaError('ValueError', `Cannot specify '${spec.separator}' with 's'.`);
  const whole = toText(value);
  const cut = spec.precision === undefined ? whole : [...whole].slice(0, spec.precision).join('');
  return pad(cut, spec, spec.align ?? '<');
}

function parseSpec(text: string): Spec {
  const found = SPEC.exec(text);
  if (found === null) throw new JinjaError('ValueError', `Invalid format specifier '${text}'`);
  const [, fill, align, sign, alternate, zero, width, separator, precision, type] = found;
  return {
    fill: fill ?? (zero === undefined ? ' ' : '0'),
    align: align ?? (zero === undefined ? undefined : '='),
    sign: sign ?? '-',
    alternate: alternate !== undefined,
    width: Number(width ?? 0),
    separator,
    precision: precision === undefined ? undefined : Number(precision),
    type,
  };
}

function formatNumber(value: Numeric, spec: Spec): string {
  const negative = asNumber(value) < 0;
  const digits =
    isFloat(value) || /[eEfFgG%]/.test(spec.type ?? '') ? floatDigits(value, spec) : wholeDigits(value, spec);
  const body = spec.separator === undefined ? digits : grouped(digits, spec.separator);
  return (negative ? '-' : spec.sign === '-' ? '' : spec.sign) + body;
}

function wholeDigits(value: Numeric, spec: Spec): string {
  if (spec.type === 'c') return String.fromCodePoint(asNumber(value));
  const text = integerDigits(value, spec.type ?? 'd');
  return spec.alternate && /[boxX]/.test(spec.type ?? '') ? `0${spec.type}${text}` : text;
}

function floatDigits(value: Numeric, spec: Spec): string {
  const absolute = Math.abs(asNumber(value));
  const places = spec.precision ?? 6;
  switch (spec.type?.toLowerCase()) {
    case 'f':
      return fixed(absolute, places);
    case 'e':
      return spec.type === 'E' ? exponential(absolute, places).toUpperCase() : exponential(absolute, places);
    case '%':
      return `${fixed(absolute * 100, places)}%`;
    case 'g':
    case 'n':
      return general(absolute, places);
    case undefined:
      return spec.precision === undefined ? floatText(absolute) : generalFloat(absolute, places);
    default:
      throw new JinjaError('ValueError', `Unknown format code '${spec.type}' for object of type 'float'`);
  }
}

function pad(text: string, spec: Spec, align: string): string {
  const missing = spec.width - textLength(text);
  if (missing <= 0) return text;
  if (align === '<') return text + spec.fill.repeat(missing);
  if (align === '>') return spec.fill.repeat(missing) + text;
  if (align === '^') return spec.fill.repeat(missing >> 1) + text + spec.fill.repeat(missing - (missing >> 1));
  const sign = /^[-+ ]?(0[boxX])?/.exec(text)?.[0] ?? '';
  return sign + spec.fill.repeat(missing) + text.slice(sign.length);
}
