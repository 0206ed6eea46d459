import { JinjaError } from '../values/jinja-error';
import { asNumber, isFloat, type Numeric, numeric } from '../values/number';
import { textLength } from '../values/sequence';
import { floatText, toText } from '../values/text';
import { typeName } from '../values/type-name';
import { exponential, fixed, general, generalFloat, grouped, integerDigits } from './number-text';
import type { Run } from '../run/run';

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

/** The mini language after the colon of `'{:>8.2f}'`. @throws ValueError for specs that do not fit the value */
export function formatSpec(value: unknown, text: string, run: Run): string {
  if (text === '') return toText(value);
  const spec = parseSpec(text);
  run.budget.produce(Math.max(spec.width, spec.precision ?? 0));
  const number = numeric(value);
  if (number !== undefined && spec.type !== 's') return pad(formatNumber(number, spec), spec, spec.align ?? '>');
  if (spec.type !== undefined && spec.type !== 's') {
    throw new JinjaError('ValueError', `Unknown format code '${spec.type}' for object of type '${typeName(value)}'`);
  }
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
