import { SECOND_MICROS } from '@switchyard/base';
import { pythonTypeName, pythonRepr } from '../schema/python-repr';
import { guardedRegExp, type GuardedRegExp } from '../schema/regex';
import { type Operator, NotApplicable } from './criterion';
import { parseDate } from '../dates';
import { pythonEquals, pythonIn, pythonOrder } from './python-comparison';
import { compileWildcard } from './wildcard';

/** Builds an operator on two texts; it does not apply to other values. @param compare receives the value first */
const onTexts =
  (compare: (value: string, pattern: string) => boolean) =>
  (pattern: unknown): Operator =>
  (value) =>
    compare(asText(value), asText(pattern));

/** The same, ignoring case. */
const ignoringCase = (compare: (value: string, pattern: string) => boolean) =>
  onTexts((value, pattern) => compare(value.toLowerCase(), pattern.toLowerCase()));

/** @param test searches a text for an expression */
function regexOperator(flags: string, test: (regexp: GuardedRegExp, text: string) => boolean) {
  return (pattern: unknown): Operator => {
    const regexp = guardedRegExp(asText(pattern), flags);
    return (value) => test(regexp, asText(value));
  };
}

function wildcardOperator(pattern: unknown): Operator {
  const test = compileWildcard(asText(pattern));
  return (value) => test(asText(value));
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new NotApplicable(`expected a string, got ${pythonTypeName(value)}`);
}

/** Compares the age of a date in seconds (negative for future dates) with a number of seconds. */
const ageOperator =
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

/** How an operator compiles its pattern. @throws NotApplicable, or the fault of an invalid regular expression */
type OperatorFactory = (pattern: unknown) => Operator;

export interface OperatorEntry {
  readonly compile: OperatorFactory;
  /** Negates another operator, so it holds for a missing value. */
  readonly negated?: boolean;
  /** Needs no pattern, or accepts null as one; other operators never match with a null pattern. */
  readonly nullPattern?: boolean;
}

const equals: OperatorEntry = { compile: (pattern) => (value) => pythonEquals(value, pattern) };
const nequals: OperatorEntry = {
  compile: (pattern) => (value) => !pythonEquals(value, pattern),
  negated: true,
  nullPattern: true,
};
const iequals: OperatorEntry = { compile: ignoringCase((value, pattern) => value === pattern) };
const lessthan: OperatorEntry = { compile: (pattern) => (value) => pythonOrder(value, pattern, '<') < 0 };
const greaterthan: OperatorEntry = { compile: (pattern) => (value) => pythonOrder(value, pattern, '>') > 0 };
const younger: OperatorEntry = { compile: ageOperator((seconds, limit) => seconds < limit) };
const older: OperatorEntry = { compile: ageOperator((seconds, limit) => seconds > limit) };
const inside: OperatorEntry = { compile: (pattern) => (value) => pythonIn(value, pattern) };
const ninside: OperatorEntry = { compile: (pattern) => (value) => !pythonIn(value, pattern), negated: true };

/** All operators except `search`, which is built from others. The order is that in messages. */
export const simpleOperators: Readonly<Record<string, OperatorEntry>> = {
  matchwildcard: { compile: wildcardOperator },
  matchregex: { compile: regexOperator('s', (regexp, text) => regexp.match(text) !== null) },
  regex: { compile: regexOperator('', (regexp, text) => regexp.test(text)) },
  iregex: { compile: regexOperator('i', (regexp, text) => regexp.test(text)) },
  eq: equals,
  equals,
  neq: nequals,
  nequals,
  ieq: iequals,
  iequals,
  contains: { compile: (pattern) => (value) => pythonIn(pattern, value) },
  icontains: { compile: ignoringCase((value, pattern) => value.includes(pattern)) },
  ncontains: { compile: (pattern) => (value) => !pythonIn(pattern, value), negated: true },
  incontains: { compile: ignoringCase((value, pattern) => !value.includes(pattern)), negated: true },
  startswith: { compile: onTexts((value, pattern) => value.startsWith(pattern)) },
  istartswith: { compile: ignoringCase((value, pattern) => value.startsWith(pattern)) },
  endswith: { compile: onTexts((value, pattern) => value.endsWith(pattern)) },
  iendswith: { compile: ignoringCase((value, pattern) => value.endsWith(pattern)) },
  lt: lessthan,
  lessthan,
  gt: greaterthan,
  greaterthan,
  td_lt: younger,
  timediff_lt: younger,
  td_gt: older,
  timediff_gt: older,
  exists: { compile: () => (value) => value !== null, nullPattern: true },
  nexists: { compile: () => (value) => value === null, negated: true, nullPattern: true },
  inside,
  in: inside,
  ninside,
  nin: ninside,
};
