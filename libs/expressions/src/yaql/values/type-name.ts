import { isFloat, isNumber } from '../../jinja/values/number';
import { DateTime } from './date-time';
import { Dict, isDict } from './dict';
import { PlainList } from './plain-list';
import { SetValue } from './set-value';
import { TimeSpan } from './time-span';

/** The name of the value's type in Python, as messages show it. */
export function typeName(value: unknown): string {
  if (value === null || value === undefined) return 'NoneType';
  if (typeof value === 'string') return 'str';
  if (typeof value === 'boolean') return 'bool';
  if (isNumber(value)) return isFloat(value) ? 'float' : 'int';
  if (Array.isArray(value)) return value instanceof PlainList ? 'list' : 'tuple';
  if (isDict(value)) return value instanceof Dict ? 'dict' : 'yaql.language.utils.FrozenDict';
  if (value instanceof SetValue) return 'frozenset';
  if (value instanceof DateTime) return 'datetime.datetime';
  return value instanceof TimeSpan ? 'datetime.timedelta' : 'generator';
}
