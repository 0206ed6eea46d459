import { Float } from '../../jinja/values/number';
import { dictSize, isDict } from './dict';
import { SetValue } from './set-value';
import { TimeSpan } from './time-span';
import { View } from './view';

/** Python's truth of a value; iterators, also empty ones, are true. */
export function truth(value: unknown): boolean {
  switch (typeof value) {
    case 'boolean':
      return value;
    case 'string':
      return value !== '';
    case 'number':
    case 'bigint':
      return Number(value) !== 0;
    default:
      return value !== null && value !== undefined && objectTruth(value);
  }
}

function objectTruth(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (value instanceof SetValue || value instanceof View) return value.size > 0;
  if (value instanceof Float) return value.value !== 0;
  if (value instanceof TimeSpan) return value.micros !== 0n;
  return !isDict(value) || dictSize(value) > 0;
}
