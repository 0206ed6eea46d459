import { isFloat, isInt, isNumber } from '../../jinja/values/number';
import { DateTime } from '../values/date-time';
import { isDict } from '../values/dict';
import { isIterable, isSetLike } from '../values/kinds';
import { Ordered } from '../values/ordered';
import { RegexValue } from '../values/regex-value';
import { SetValue } from '../values/set-value';
import { TimeSpan } from '../values/time-span';
import { View } from '../values/view';
import { budget } from './budget';
import { Frame } from './frame';

export interface ParameterType {
  readonly accepts: (value: unknown) => boolean;
  /** What the function gets for an accepted value. */
  readonly convert?: (value: unknown) => unknown;
  /** `lambda`: the argument is passed unevaluated; `rule`: so are both sides of `key => value`. */
  readonly lazy?: 'lambda' | 'rule';
}

const isInteger = (value: unknown): boolean => typeof value === 'boolean' || isInt(value);
const asInteger = (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : value);
const isText = (value: unknown): boolean => typeof value === 'string';

/** A function may look at all of a text or collection without asking for items one by one: that is paid for here. */
function charged(value: unknown): unknown {
  if (typeof value === 'string') budget().spend(value.length >> 5);
  else if (Array.isArray(value)) budget().spend(value.length >> 4);
  else if (value instanceof SetValue || value instanceof View) budget().spend(value.size >> 4);
  return value;
}

/** The types of parameters by the names that signatures use; see section 2.3 of the interface sheet. */
const TYPES: Readonly<Record<string, ParameterType>> = {
  any: { accepts: () => true },
  num: { accepts: isNumber },
  /** Booleans are integers here, and are not where `Int` stands. */
  int: { accepts: isInteger, convert: asInteger },
  Int: { accepts: isInt },
  /** An integer that the function wants as a JavaScript number. */
  count: { accepts: isInteger, convert: Number },
  float: { accepts: isFloat },
  str: { accepts: isText, convert: charged },
  bool: { accepts: (value) => typeof value === 'boolean' },
  iter: { accepts: isIterable, convert: charged },
  /** No set: it has no places. */
  placed: { accepts: (value) => isIterable(value) && !(value instanceof SetValue), convert: charged },
  seq: { accepts: Array.isArray, convert: charged },
  ordered: { accepts: (value) => value instanceof Ordered },
  dict: { accepts: isDict },
  set: { accepts: isSetLike, convert: charged },
  rx: { accepts: (value) => value instanceof RegexValue },
  dt: { accepts: (value) => value instanceof DateTime },
  ts: { accepts: (value) => value instanceof TimeSpan },
  context: { accepts: (value) => value instanceof Frame },
  fn: { accepts: () => true, lazy: 'lambda' },
  rule: { accepts: () => true, lazy: 'rule' },
};

/** @param name a name of the table; `?` behind it admits null as well */
export function parameterType(name: string): ParameterType {
  const type = TYPES[name.replace(/\?$/, '')];
  if (type === undefined) throw new Error(`no such parameter type: ${name}`);
  if (!name.endsWith('?')) return type;
  const { accepts, convert } = type;
  return {
    accepts: (value) => value === null || accepts(value),
    ...(convert && { convert: (value: unknown) => (value === null ? null : convert(value)) }),
  };
}
