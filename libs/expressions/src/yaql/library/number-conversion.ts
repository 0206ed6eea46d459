import { asNumber, float, int, isNumber, numeric, truncate } from '../../jinja/values/number';
import { typeError, valueError } from '../values/failure';
import { inner } from '../values/text';
import { typeName } from '../values/type-name';
import { strip } from '../values/python-text';

/** Python's own limit for texts of integers. */
const MOST_DIGITS = 4300;

/** YAQL's `int`: null is 0, floats are cut, texts are decimal integers. */
export function toInteger(value: unknown): unknown {
  if (value === null) return 0;
  if (typeof value === 'string') return parseInteger(value);
  const number = numeric(value);
  if (number === undefined) {
    throw typeError(`int() argument must be a string, a bytes-like object or a real number, not '${typeName(value)}'`);
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
  return int(text.startsWith('-') ? -BigInt(digits) : BigInt(digits));
}

/** YAQL's `float`: null is 0.0. */
export function toFloat(value: unknown): unknown {
  if (value === null) return float(0);
  if (typeof value === 'boolean' || isNumber(value)) return float(asNumber(typeof value === 'boolean' ? Number(value) : value)); // prettier-ignore
  if (typeof value !== 'string') {
    throw typeError(`float() argument must be a string or a real number, not '${typeName(value)}'`);
  }
  const number = parseFloatText(value);
  if (number === undefined) throw valueError(`could not convert string to float: ${inner.repr(value, 0)}`);
  return float(number);
}

function parseFloatText(value: string): number | undefined {
  const text = strip(value).replace(/(?<=\d)_(?=\d)/g, '');
  if (/^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text)) return Number(text);
  if (/^[+-]?inf(inity)?$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  return /^[+-]?nan$/i.test(text) ? NaN : undefined;
}
