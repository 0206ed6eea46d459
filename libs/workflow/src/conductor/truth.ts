import { isPlainObject } from '@switchyard/base';

/** Whether a condition holds, as in Python: none, false, zero and what is empty do not; any other text does. */
export function holds(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isPlainObject(value) ? Object.keys(value).length > 0 : Boolean(value);
}
