import { isPlainObject } from '@switchyard/base';
import { ExpressionError } from './scope';

/** Lists and maps in one value. Where they share their own parts, over and over, it is small to hold and endless to walk. */
const MOST_PARTS = 1_000_000;

/**
 * A value that JSON can hold: both languages have integers of any size, which become the nearest number here. Whatever has
 * none of them is handed back as it is.
 * @throws ExpressionError for a value of too many parts
 */
export const jsonData = (value: unknown): unknown =>
  hasBigInt(value, { left: MOST_PARTS }) ? withoutBigInts(value) : value;

function hasBigInt(value: unknown, parts: { left: number }): boolean {
  if (value === null || typeof value !== 'object') return typeof value === 'bigint';
  parts.left -= 1;
  if (parts.left < 0) {
    throw new ExpressionError('ExpressionEvaluationException', `The value has more than ${MOST_PARTS} parts.`, '');
  }
  let found = false;
  // All of them are looked at: a value with too many parts is refused, whatever is in them.
  if (Array.isArray(value)) for (const item of value) found = hasBigInt(item, parts) || found;
  else if (isPlainObject(value)) for (const key of Object.keys(value)) found = hasBigInt(value[key], parts) || found;
  return found;
}

function withoutBigInts(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(withoutBigInts);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutBigInts(item)]));
}
