import { holds } from './run/holds';
import { operation, type Operation, type Operations } from './run/operation';
import { isDict } from './values/collections';
import { JinjaError } from './values/jinja-error';
import { modulo } from './values/arithmetic';
import { asNumber, isFloat, isInt, isNumber, numeric } from './values/number';
import { isIterable } from './values/sequence';
import { toText } from './values/text';
import { typeName } from './values/type-name';
import { defined, Undefined } from './values/undefined';

type Comparison = Parameters<typeof holds>[0];

const is = (test: (value: unknown) => boolean): Operation => operation([], (value) => test(defined(value)));
const compares = (operator: Comparison): Operation =>
  operation(['other'], (value, _run, other) => holds(operator, value, other), 1);

const remainder = (value: unknown, divisor: unknown): number => {
  const [a, b] = [numeric(defined(value)), numeric(defined(divisor))];
  if (a !== undefined && b !== undefined) return asNumber(modulo(a, b));
  throw new JinjaError(
    'TypeError',
    `unsupported operand type(s) for %: '${typeName(value)}' and '${typeName(divisor)}'`,
  );
};

const cased = (text: string): boolean => text.toLowerCase() !== text.toUpperCase();

/** Jinja2's tests: what may follow `is`. */
export const TESTS: Operations = {
  defined: operation([], (value) => !(value instanceof Undefined)),
  undefined: operation([], (value) => value instanceof Undefined),
  none: operation([], (value) => value === null),
  boolean: operation([], (value) => typeof value === 'boolean'),
  true: operation([], (value) => value === true),
  false: operation([], (value) => value === false),
  integer: operation([], (value) => isInt(value)),
  float: operation([], (value) => isFloat(value)),
  number: operation([], (value) => isNumber(value) || typeof value === 'boolean'),
  string: operation([], (value) => typeof value === 'string'),
  mapping: operation([], (value) => isDict(value)),
  sequence: operation([], (value) => isIterable(value)),
  iterable: is(isIterable),
  callable: operation([], (value) => typeof value === 'function'),
  escaped: operation([], () => false),
  lower: is((value) => cased(toText(value)) && toText(value) === toText(value).toLowerCase()),
  upper: is((value) => cased(toText(value)) && toText(value) === toText(value).toUpperCase()),
  odd: operation([], (value) => remainder(value, 2) === 1),
  even: operation([], (value) => remainder(value, 2) === 0),
  divisibleby: operation(['num'], (value, _run, by) => remainder(value, by) === 0),
  sameas: operation(['other'], (value, _run, other) => value === other),
  filter: operation([], (value, run) => typeof value === 'string' && run.filter(value) !== undefined),
  test: operation([], (value, run) => typeof value === 'string' && run.test(value) !== undefined),
  in: operation(['seq'], (value, _run, container) => holds('in', value, container), 1),
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
