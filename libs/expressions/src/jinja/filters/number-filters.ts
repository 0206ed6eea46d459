import { fixed } from '../format/number-text';
import { filterOperation, type Operations } from '../run/operation';
import { negate } from '../values/arithmetic';
import { JinjaError } from '../values/jinja-error';
import { asNumber, asFloat, asInt, isFloat, isInt, type Numeric, numeric, truncate } from '../values/number';
import { intArgument } from '../values/plain';
import { toText } from '../values/text';
import { jinjaTruth } from '../values/sequence';
import { jinjaTypeName } from '../values/collections';
import { defined } from '../values/undefined';

/** Jinja2's number filters. */
export const numberFilters: Operations = {
  int: filterOperation(['default', 'base'], (value, _run, fallback = 0, base = 10) =>
    parseInteger(defined(value), intArgument(base, 'base')) ?? fallback),
  float: filterOperation(['default'], (value, _run, fallback = asFloat(0)) => parseFloatText(defined(value)) ?? fallback),
  abs: filterOperation([], (value) => {
    const number = required(value);
    return asNumber(number) < 0 ? negate(number) : number;
  }),
  round: filterOperation(['precision', 'method'], (value, _run, precision = 0, method = 'common') =>
    round(required(value), intArgument(precision, 'precision'), toText(method))),
  filesizeformat: filterOperation(['binary'], (value, _run, binary = false) => fileSize(asNumber(required(parseFloatText(value) ?? value)), jinjaTruth(binary))),
}; // oxfmt-ignore

function required(value: unknown): Numeric {
  const number = numeric(defined(value));
  if (number !== undefined) return number;
  throw new JinjaError('TypeError', `must be real number, not ${jinjaTypeName(value)}`);
}

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz';

/** Python's `int(value)`, then `int(float(value))`; undefined if neither works. */
function parseInteger(value: unknown, base: number): Numeric | undefined {
  if (typeof value !== 'string') {
    const number = numeric(value);
    if (number === undefined || isInt(number)) return number;
    return Number.isFinite(asNumber(number)) ? truncate(asNumber(number)) : undefined;
  }
  const whole = parseDigits(value.trim().toLowerCase(), base);
  if (whole !== undefined) return whole;
  const decimal = parseFloatText(value);
  return decimal === undefined || !Number.isFinite(asNumber(decimal)) ? undefined : truncate(asNumber(decimal));
}

function parseDigits(text: string, base: number): Numeric | undefined {
  const found = /^([+-]?)(0[xob])?([\da-z]+(?:_[\da-z]+)*)$/.exec(text);
  if (found === null) return undefined;
  const [, sign, prefix, digits = ''] = found;
  const prefixBase = prefix === undefined ? undefined : { '0x': 16, '0o': 8, '0b': 2 }[prefix];
  if (prefixBase !== undefined && base !== prefixBase && base !== 0) return undefined;
  const radix = BigInt(prefixBase ?? (base === 0 ? 10 : base));
  const body = digits.replaceAll('_', '');
  if (body.length > 4300) return undefined;
  let result = 0n;
  for (const digit of body) {
    const value = BigInt(DIGITS.indexOf(digit));
    if (value < 0n || value >= radix) return undefined;
    result = result * radix + value;
  }
  return asInt(sign === '-' ? -result : result);
}

function parseFloatText(value: unknown): Numeric | undefined {
  const number = numeric(value);
  if (number !== undefined) return asFloat(asNumber(number));
  if (typeof value !== 'string') return undefined;
  const text = value.trim().replace(/(?<=\d)_(?=\d)/g, '');
  if (/^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text)) return asFloat(Number(text));
  if (/^[+-]?inf(inity)?$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  return /^[+-]?nan$/i.test(text) ? NaN : undefined;
}

function round(value: Numeric, precision: number, method: string): Numeric {
  if (!['common', 'ceil', 'floor'].includes(method)) {
    throw new JinjaError('FilterArgumentError', 'method must be common, ceil or floor');
  }
  const number = asNumber(value);
  if (method === 'common' && !isFloat(value)) return precision >= 0 ? value : asInt(roundTens(number, -precision));
  if (!Number.isFinite(number)) return value;
  if (method === 'common')
    return asFloat(precision >= 0 ? Number(fixed(number, precision)) : roundTens(number, -precision));
  const scale = 10 ** precision;
  return asFloat((method === 'ceil' ? Math.ceil(number * scale) : Math.floor(number * scale)) / scale);
}

const roundTens = (value: number, zeros: number): number => Number(fixed(value / 10 ** zeros, 0)) * 10 ** zeros;

const UNITS = ['', 'k', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y'];

function fileSize(bytes: number, binary: boolean): string {
  const base = binary ? 1024 : 1000;
  if (bytes === 1) return '1 Byte';
  if (bytes < base) return `${Math.trunc(bytes)} Bytes`;
  let exponent = 1;
  while (exponent < UNITS.length - 1 && bytes >= base ** (exponent + 1)) exponent += 1;
  const unit = UNITS[exponent] ?? '';
  return `${fixed(bytes / base ** exponent, 1)} ${binary ? `${unit.toUpperCase()}iB` : `${unit}B`}`;
}
