import { comparisonHolds } from './run/operators';
import { filterOperation, type Operation, type Operations } from './run/operation';
import { isJinjaDict, jinjaTypeName } from './values/collections';
import { JinjaError } from './values/jinja-error';
import { modulo } from './values/arithmetic';
import { asNumber, isFloat, isInt, isNumber, numeric } from './values/number';
import { isJinjaIterable } from './values/sequence';
import { toText } from './values/text';
import { defined, Undefined } from './values/undefined';

type Comparison = Parameters<typeof comparisonHolds>[0];

const is = (test: (value: unknown) => boolean): Operation => filterOperation([], (value) => test(defined(value)));
const compares = (operator: Comparison): Operation =>
  filterOperation(['other'], (value, _run, other) => comparisonHolds(operator, value, other), 1);

const remainder = (value: unknown, divisor: unknown): number => {
  const [a, b] = [numeric(defined(value)), numeric(defined(divisor))];
  if (a !== undefined && b !== undefined) return asNumber(modulo(a, b));
  throw new JinjaError(
    'TypeError',
    `unsupported operand type(s) for %: '${jinjaTypeName(value)}' and '${jinjaTypeName(divisor)}'`,
  );
};

/** Where missing values are allowed, they are like empty lists in tests. */
const isLenient = (value: unknown): boolean => value instanceof Undefined && value.lenient;

const cased = (text: string): boolean => text.toLowerCase() !== text.toUpperCase();

/** Jinja2's tests, which follow `is`. */
export const TESTS: Operations = {
  defined: filterOperation([], (value) => !(value instanceof Undefined)),
  undefined: filterOperation([], (value) => value instanceof Undefined),
  none: filterOperation([], (value) => value === null),
  boolean: filterOperation([], (value) => typeof value === 'boolean'),
  true: filterOperation([], (value) => value === true),
  false: filterOperation([], (value) => value === false),
  integer: filterOperation([], (value) => isInt(value)),
  float: filterOperation([], (value) => isFloat(value)),
  number: filterOperation([], (value) => isNumber(value) || typeof value === 'boolean'),
  string: filterOperation([], (value) => typeof value === 'string'),
  mapping: filterOperation([], (value) => isJinjaDict(value)),
  sequence: filterOperation([], (value) => isJinjaIterable(value) || isLenient(value)),
  iterable: is((value) => isJinjaIterable(value) || isLenient(value)),
  callable: filterOperation([], (value) => typeof value === 'function' || isLenient(value)),
  escaped: filterOperation([], () => false),
  lower: is((value) => cased(toText(value)) && toText(value) === toText(value).toLowerCase()),
  upper: is((value) => cased(toText(value)) && toText(value) === toText(value).toUpperCase()),
  odd: filterOperation([], (value) => remainder(value, 2) === 1),
  even: filterOperation([], (value) => remainder(value, 2) === 0),
  divisibleby: filterOperation(['num'], (value, _run, by) => remainder(value, by) === 0),
  sameas: filterOperation(['other'], (value, _run, other) => value === other),
  filter: filterOperation([], (value, run) => typeof value === 'string' && run.filter(value) !== undefined),
  test: filterOperation([], (value, run) => typeof value === 'string' && run.test(value) !== undefined),
  in: filterOperation(['seq'], (value, _run, container) => comparisonHolds('in', value, container), 1),
  '==': compares('=='),
  eq: compares('=='),
  equalto: compares('=='),
  '!=': compares('!='),
  ne: compares('!='),
  '>': compares('>'),
  gt: compares('>'),
  greaterthan: compares('>'),
  '>=': compares('>='),
  ge: compares('>='),
  '<': compares('<'),
  lt: compares('<'),
  lessthan: compares('<'),
  '<=': compares('<='),
  le: compares('<='),
};
