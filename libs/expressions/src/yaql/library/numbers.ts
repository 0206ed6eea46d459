import {
  asNumber,
  asFloat,
  asInt,
  isNumber,
  numeric,
  truncate,
  asBigInt,
  type Int,
  isFloat,
  type Numeric,
} from '../../jinja/values/number';
import { typeError, valueError } from '../values/failure';
import { inner } from '../values/text';
import { yaqlTypeName } from '../values/kinds';
import { strip } from './text-parts';
import { fixed } from '../../jinja/format/number-text';

/** Python's own limit for parsing integers. */
const MOST_DIGITS = 4300;

/** YAQL's `int`: null is 0, floats are truncated, texts are decimal integers. */
export function toInteger(value: unknown): unknown {
  if (value === null) return 0;
  if (typeof value === 'string') return parseInteger(value);
  const number = numeric(value);
  if (number === undefined) {
    throw typeError(
      `int() argument must be a string, a bytes-like object or a real number, not '${yaqlTypeName(value)}'`,
    );
  }
  if (typeof number === 'bigint') return number;
  const plain = asNumber(number);
  if (Number.isNaN(plain)) throw valueError('cannot convert float NaN to integer');
  return truncate(plain);
}

function parseInteger(value: string): unknown {
  const text = strip(value);
  const digits = text.replace(/^[+-]/, '').replaceAll('_', '');
  if (!/^[+-]?\d+(?:_\d+)*$/.test(text)) {
    throw valueError(`invalid literal for int() with base 10: ${inner.repr(value, 0)}`);
  }
  if (digits.length > MOST_DIGITS) {
    throw valueError(`Exceeds the limit (${MOST_DIGITS} digits) for integer string conversion`);
  }
  return asInt(text.startsWith('-') ? -BigInt(digits) : BigInt(digits));
}

/** YAQL's `float`: null is 0.0. */
export function toFloat(value: unknown): unknown {
  if (value === null) return asFloat(0);
  if (typeof value === 'boolean' || isNumber(value)) return asFloat(asNumber(typeof value === 'boolean' ? Number(value) : value)); // oxfmt-ignore
  if (typeof value !== 'string') {
    throw typeError(`float() argument must be a string or a real number, not '${yaqlTypeName(value)}'`);
  }
  const number = parseFloatText(value);
  if (number === undefined) throw valueError(`could not convert string to float: ${inner.repr(value, 0)}`);
  return asFloat(number);
}

function parseFloatText(value: string): number | undefined {
  const text = strip(value).replace(/(?<=\d)_(?=\d)/g, '');
  if (/^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text)) return Number(text);
  if (/^[+-]?inf(inity)?$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  return /^[+-]?nan$/i.test(text) ? NaN : undefined;
}

/** No double has more decimal places, and no supported integer more digits. */
const MOST_PLACES = 400;

/** Python's `round`: halves round to even; a float stays a float. */
export function round(value: Numeric, digits: number): Numeric {
  if (!isFloat(value)) return digits >= 0 ? value : roundInteger(value, -digits);
  const number = asNumber(value);
  if (!Number.isFinite(number) || digits > MOST_PLACES) return value;
  if (digits >= 0) return asFloat(Number(fixed(number, digits)));
  if (-digits > MOST_PLACES) return asFloat(0);
  const scale = 10 ** -digits;
  return asFloat(Number(fixed(number / scale, 0)) * scale);
}

function roundInteger(value: Int, zeros: number): Int {
  if (zeros > 5000) return 0;
  const scale = 10n ** BigInt(zeros);
  const whole = asBigInt(value);
  const down = whole - (((whole % scale) + scale) % scale);
  const twice = 2n * (whole - down);
  const even = (down / scale) % 2n === 0n;
  return asInt(twice < scale || (twice === scale && even) ? down : down + scale);
}
