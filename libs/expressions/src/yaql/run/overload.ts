import { isFloat, isInt, isNumber } from '../../jinja/values/number';
import { DateTime } from '../values/date-time';
import { isYaqlDict } from '../values/dict';
import { isYaqlIterable, isSetLike } from '../values/kinds';
import { Ordered } from '../values/ordered';
import { RegexValue } from '../values/regex-value';
import { SetValue, View } from '../values/collections';
import { TimeSpan } from '../values/time-span';
import { budget } from './budget';
import { Frame } from './frame';

interface ParameterType {
  readonly accepts: (value: unknown) => boolean;
  /** Converts an accepted value for the function. */
  readonly convert?: (value: unknown) => unknown;
  /** `lambda`: passes the argument unevaluated; `rule`: passes both sides of `key => value` unevaluated. */
  readonly lazy?: 'lambda' | 'rule';
}

const isInteger = (value: unknown): boolean => typeof value === 'boolean' || isInt(value);
const asInteger = (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : value);
const isText = (value: unknown): boolean => typeof value === 'string';

/** Charges up front for a text or collection that a function may read as a whole. */
function charged(value: unknown): unknown {
  if (typeof value === 'string') budget().spend(value.length >> 5);
  else if (Array.isArray(value)) budget().spend(value.length >> 4);
  else if (value instanceof SetValue || value instanceof View) budget().spend(value.size >> 4);
  return value;
}

/** Parameter types by the names used in signatures. */
const TYPES: Readonly<Record<string, ParameterType>> = {
  any: { accepts: () => true },
  num: { accepts: isNumber },
  /** Accepts booleans as integers, unlike `Int`. */
  int: { accepts: isInteger, convert: asInteger },
  Int: { accepts: isInt },
  /** An integer passed as a JavaScript number. */
  count: { accepts: isInteger, convert: Number },
  float: { accepts: isFloat },
  str: { accepts: isText, convert: charged },
  bool: { accepts: (value) => typeof value === 'boolean' },
  iter: { accepts: isYaqlIterable, convert: charged },
  /** Not a set, which has no positions. */
  placed: { accepts: (value) => isYaqlIterable(value) && !(value instanceof SetValue), convert: charged },
  seq: { accepts: Array.isArray, convert: charged },
  ordered: { accepts: (value) => value instanceof Ordered },
  dict: { accepts: isYaqlDict },
  set: { accepts: isSetLike, convert: charged },
  rx: { accepts: (value) => value instanceof RegexValue },
  dt: { accepts: (value) => value instanceof DateTime },
  ts: { accepts: (value) => value instanceof TimeSpan },
  context: { accepts: (value) => value instanceof Frame },
  fn: { accepts: () => true, lazy: 'lambda' },
  rule: { accepts: () => true, lazy: 'rule' },
};

/** @param name a name of the table; a trailing `?` also allows null */
function parameterType(name: string): ParameterType {
  const type = TYPES[name.replace(/\?$/, '')];
  if (type === undefined) throw new Error(`unknown parameter type: ${name}`);
  if (!name.endsWith('?')) return type;
  const { accepts, convert } = type;
  return {
    accepts: (value) => value === null || accepts(value),
    ...(convert && { convert: (value: unknown) => (value === null ? null : convert(value)) }),
  };
}

export interface Parameter {
  readonly name: string;
  readonly type: ParameterType;
  readonly required: boolean;
  /** Undefined also for functions that check themselves whether the argument was given. */
  readonly fallback: unknown;
}

/** The body of a function; arguments have been checked against the signature. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the boundary between checked values and typed bodies
type OverloadBody = (...args: any[]) => unknown;

/** One overload of a function: its signature and body. */
export interface Overload {
  readonly names: readonly string[];
  readonly isFunction: boolean;
  readonly isMethod: boolean;
  readonly parameters: readonly Parameter[];
  /** `*name:type`: further positional arguments, passed as a list. */
  readonly rest: Parameter | undefined;
  /** Named-only parameters. */
  readonly named: readonly Parameter[];
  /** `**`: further named arguments, passed as a map. */
  readonly anyNamed: boolean;
  /** Arguments with `=>` are rules and never name a parameter. */
  readonly takesRules: boolean;
  readonly body: OverloadBody;
  /** The body gets the frame of the call as its first argument. */
  readonly wantsFrame: boolean;
}

interface OverloadOptions {
  readonly takesRules?: boolean;
  readonly wantsFrame?: boolean;
}

/**
 * Declares one overload of a function.
 * @param names separated by spaces
 * @param kind F: callable as function, M: as method of its first argument
 * @param signature `name:type`, with `=default` (JSON; `none`: the body gets undefined), `*name:type` for any number of
 * arguments, after which parameters are named only, `**` for any named arguments; separated by commas
 */
export function define(
  names: string,
  kind: 'F' | 'M' | 'FM',
  signature: string,
  body: OverloadBody,
  { takesRules = false, wantsFrame = false }: OverloadOptions = {},
): Overload {
  const parts = signature === '' ? [] : signature.split(/\s*,\s*/);
  const star = parts.findIndex((part) => /^\*[^*]/.test(part));
  const positional = star < 0 ? parts.filter((part) => part !== '**') : parts.slice(0, star);
  const named = star < 0 ? [] : parts.slice(star + 1).filter((part) => part !== '**');
  return {
    names: names.split(' '),
    isFunction: kind.includes('F'),
    isMethod: kind.includes('M'),
    parameters: positional.map(parameter),
    rest: star < 0 ? undefined : parameter((parts[star] as string).slice(1)),
    named: named.map(parameter),
    anyNamed: parts.includes('**'),
    takesRules,
    body,
    wantsFrame,
  };
}

function parameter(text: string): Parameter {
  const found = /^(\w+):(\w+\??)(?:=(.*))?$/.exec(text);
  if (found === null) throw new Error(`invalid parameter: ${text}`);
  const [, name = '', type = '', fallback] = found;
  return {
    name,
    type: parameterType(type),
    required: fallback === undefined,
    fallback: fallback === undefined || fallback === 'none' ? undefined : (JSON.parse(fallback) as unknown),
  };
}

/** Calls the body with arguments in signature order. */
export const invoke = (overload: Overload, frame: Frame, args: readonly unknown[]): unknown =>
  overload.wantsFrame ? overload.body(frame, ...args) : overload.body(...args);
