import { JinjaError } from './jinja-error';

/**
 * A float with an integral value, such as `2.0`. JavaScript numbers cannot tell it from the integer 2, and Python
 * prints the two differently. Other floats are plain numbers; integers are numbers while they are safe, bigints beyond.
 */
export class Float {
  constructor(readonly value: number) {}
}

export type Int = number | bigint;
export type Numeric = Int | Float;

/** Python prints integers in full; a JSON number this big was a float. */
const LARGEST_PLAIN_INTEGER = 1e21;
/** About 4,300 digits, Python's own limit for conversions. */
const LARGEST_BITS = 14_300n;
const LARGEST_INTEGER = 1n << LARGEST_BITS;

export const asFloat = (value: number): number | Float => (Number.isInteger(value) ? new Float(value) : value);

export function isInt(value: unknown): value is Int {
  if (typeof value === 'bigint') return true;
  return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < LARGEST_PLAIN_INTEGER;
}

export const isFloat = (value: unknown): value is number | Float =>
  value instanceof Float || (typeof value === 'number' && !isInt(value));

export const isNumber = (value: unknown): value is Numeric =>
  typeof value === 'number' || typeof value === 'bigint' || value instanceof Float;

/** Booleans count as 0 and 1, as in Python; undefined for other types. */
export function numeric(value: unknown): Numeric | undefined {
  if (isNumber(value)) return value;
  return typeof value === 'boolean' ? Number(value) : undefined;
}

export const asNumber = (value: Numeric): number => (value instanceof Float ? value.value : Number(value));
export const asBigInt = (value: Int): bigint => BigInt(value);

/** Compares without a conversion: JavaScript compares numbers with bigints exactly. Negative, zero or positive, like a comparator. */
export const compareInts = (a: Int, b: Int): number => (a < b ? -1 : a > b ? 1 : 0);

/** Normalizes an integer to a number or bigint; rejects sizes that only a runaway template reaches. */
export function asInt(value: Int): Int {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : asInt(BigInt(value));
  if (value > LARGEST_INTEGER || value < -LARGEST_INTEGER) throw new JinjaError('OverflowError', 'int too large');
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}

/** Python's `int(x)` of a float: truncates towards zero, without a negative zero. */
export function truncate(value: number): Int {
  if (!Number.isFinite(value)) {
    throw new JinjaError(
      'OverflowError',
      `cannot convert float ${Number.isNaN(value) ? 'NaN' : 'infinity'} to integer`,
    );
  }
  return asInt(Math.trunc(value) + 0);
}
