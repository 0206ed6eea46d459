import { isDict, isList, Tuple } from './collections';
import { isFloat, isNumber } from './number';
import { Undefined } from './undefined';

/** The name of a value's type in Python, for error messages. */
export function typeName(value: unknown): string {
  if (value === null || value === undefined) return 'NoneType';
  if (typeof value === 'string') return 'str';
  if (typeof value === 'boolean') return 'bool';
  if (isNumber(value)) return isFloat(value) ? 'float' : 'int';
  if (value instanceof Tuple) return 'tuple';
  if (isList(value)) return 'list';
  if (isDict(value)) return 'dict';
  if (typeof value === 'function') return 'function';
  return value instanceof Undefined ? 'StrictUndefined' : 'object';
}

/** How Jinja2 names the owner of a missing attribute: `dict object`, or `None` alone. */
export const ownerName = (value: unknown): string =>
  value === null || value === undefined ? 'None' : `${typeName(value)} object`;
