import { SECOND_MICROS } from '@switchyard/base';
import { pythonRepr, pythonTypeName } from '../schema/python-repr';
import { NotApplicable, type Operator } from './criterion';
import { parseDate } from './parse-date';

/** Compares the age of a date in seconds (negative for future dates) with a number of seconds. */
export const ageOperator =
  (compare: (seconds: number, limit: number) => boolean) =>
  (pattern: unknown): Operator => {
    const limit = asNumber(pattern);
    return (value, { now }) => {
      if (typeof value !== 'string') throw new NotApplicable(`expected a date, got ${pythonTypeName(value)}`);
      const date = parseDate(value, now);
      if (date === undefined) throw new NotApplicable(`Unknown string format: ${value}`);
      return compare((now - date) / SECOND_MICROS, limit);
    };
  };

const NUMBER = /^\s*[+-]?(?:(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+)?|inf(?:inity)?|nan)\s*$/i;

/** Python's `float()`. */
function asNumber(value: unknown): number {
  if (typeof value === 'number' || typeof value === 'boolean') return Number(value);
  if (typeof value !== 'string' || !NUMBER.test(value)) {
    throw new NotApplicable(`could not convert to a number of seconds: ${pythonRepr(value)}`);
  }
  const text = value.trim().replaceAll('_', '');
  if (/nan/i.test(text)) return NaN;
  return /inf/i.test(text) ? (text.startsWith('-') ? -Infinity : Infinity) : Number(text);
}
