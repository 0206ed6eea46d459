import type { Operator } from './criterion';
import { ageOperator } from './age-operator';
import { pythonEquals, pythonIn, pythonOrder } from './python-comparison';
import { ignoringCase, onTexts, regexOperator, wildcardOperator } from './text-operators';

/** How an operator compiles its pattern. @throws NotApplicable, or the fault of an invalid regular expression */
export type OperatorFactory = (pattern: unknown) => Operator;

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
