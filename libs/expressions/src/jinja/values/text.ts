import { charge, chargeFor } from '../run/budget';
import { jinjaDictEntries, isJinjaDict, isJinjaList, Tuple } from './collections';
import { JinjaError } from './jinja-error';
import { Float, isInt, isNumber } from './number';
import { Undefined } from './undefined';

/** Values with their own printed form, such as a namespace. */
export interface Printable {
  text(): string;
}

const DEEPEST = 500;

/** Python's `str(value)`: what `{{ value }}` prints. @throws UndefinedError for a strict undefined value */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Undefined) return value.lenient ? '' : value.fail();
  return repr(value);
}

/** Python's `repr(value)`: the form inside lists and dictionaries. */
export function repr(value: unknown, depth = 0): string {
  charge(1);
  if (depth > DEEPEST) throw new JinjaError('RecursionError', 'maximum recursion depth exceeded');
  if (typeof value === 'string') return quote(value);
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (isNumber(value)) return numberText(value);
  if (isJinjaList(value)) return listText(value, depth);
  if (isJinjaDict(value)) {
    const inner = jinjaDictEntries(value).map(([key, item]) => `${repr(key, depth + 1)}: ${repr(item, depth + 1)}`);
    return `{${inner.join(', ')}}`;
  }
  return objectText(value);
}

function listText(value: unknown[], depth: number): string {
  const inner = value.map((item) => repr(item, depth + 1)).join(', ');
  if (!(value instanceof Tuple)) return `[${inner}]`;
  return value.length === 1 ? `(${inner},)` : `(${inner})`;
}

function objectText(value: unknown): string {
  if (value instanceof Undefined) return 'Undefined';
  if (typeof value === 'function') return `<function ${value.name}>`;
  if (value instanceof Date) return value.toISOString();
  return typeof (value as Partial<Printable>).text === 'function' ? (value as Printable).text() : String(value);
}

export function numberText(value: number | bigint | Float): string {
  if (value instanceof Float) return floatText(value.value);
  if (typeof value === 'bigint') return String(value);
  return isInt(value) ? String(value) : floatText(value);
}

/** Python's shortest form of a float: `2.0`, `1e-05`, `1e+16`. */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (Object.is(value, -0)) return '-0.0';
  const [digits = '0', power = '0'] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 16) {
    const plain = exponent < 0 ? value.toFixed(digits.replace(/[-.]/g, '').length - 1 - exponent) : String(value);
    return plain.includes('.') ? plain : `${plain}.0`;
  }
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\\': '\\\\' };

function quote(text: string): string {
  chargeFor(text);
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const body = text.replace(/[\\\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|['"]|\p{Zs}/gu, (char) => {
    if (char === ' ') return char;
    if (char === '"' || char === "'") return char === mark ? `\\${char}` : char;
    return SHORT_ESCAPES[char] ?? codeEscape(char.codePointAt(0) ?? 0);
  });
  return mark + body + mark;
}

function codeEscape(code: number): string {
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\U${code.toString(16).padStart(8, '0')}`;
}
