import * as arithmetic from '../../jinja/values/arithmetic';
import { asBigInt, type Int, isFloat, isNumber, type Numeric } from '../../jinja/values/number';
import { compareYaql, equalsYaql } from '../values/compare';
import { yaqlDictEntries, isYaqlDict, copyDict } from '../values/dict';
import { isYaqlIterable } from '../values/kinds';
import { RegexValue } from '../values/regex-value';
import { budget } from './budget';
import { chained, isMember, minusSets, repeatCollection } from './collection-operators';
import { noMatch } from './dispatch-failures';
import * as temporal from './temporal-operators';

type Binary = (a: unknown, b: unknown) => unknown;

/** Binary operators on evaluated operands; they return undefined for unsuitable operands. */
const OPERATIONS: Readonly<Record<string, Binary>> = {
  '+': (a, b) => numbers(a, b, arithmetic.addNumbers) ?? plus(a, b) ?? temporal.plus(a, b),
  '-': (a, b) => numbers(a, b, arithmetic.subtract) ?? minusSets(a, b) ?? temporal.minus(a, b),
  '*': (a, b) => numbers(a, b, arithmetic.multiply) ?? repeatCollection(a, b) ?? temporal.scaleTimespan(a, b),
  '/': (a, b) => numbers(a, b, quotient) ?? temporal.divided(a, b),
  mod: (a, b) => numbers(a, b, arithmetic.modulo),
  '=': (a, b) => equalsYaql(a, b),
  '!=': (a, b) => !equalsYaql(a, b),
  '<': (a, b) => compareYaql(a, b, '<'),
  '<=': (a, b) => compareYaql(a, b, '<='),
  '>': (a, b) => compareYaql(a, b, '>'),
  '>=': (a, b) => compareYaql(a, b, '>='),
  in: (a, b) => (typeof b === 'string' ? isPartOf(a, b) : isYaqlIterable(b) ? isMember(a, b) : undefined),
  '=~': (a, b) => matches(a, b),
  '!~': (a, b) => negated(matches(a, b)),
};

const UNARY: Readonly<Record<string, (value: unknown) => unknown>> = {
  '+': (value) => (isNumber(value) ? value : temporal.isSpan(value) ? value : undefined),
  '-': (value) => (isNumber(value) ? arithmetic.negate(value) : temporal.negated(value)),
};

/** The function names of operators: `#operator_+`, but `*equal`. */
export const operatorName = (operator: string): string =>
  operator === '=' ? '*equal' : operator === '!=' ? '*not_equal' : `#operator_${operator}`;

export const binaryOperators = Object.keys(OPERATIONS);
export const unaryOperators = Object.keys(UNARY);

/** @throws NoMatchingFunctionException for unsuitable operands */
export function binaryOperation(operator: string): Binary {
  const operation = OPERATIONS[operator] as Binary;
  return (a, b) => {
    const result = operation(a, b);
    if (result === undefined) throw noMatch({ name: operatorName(operator) });
    return result;
  };
}

export function unaryOperation(operator: string): (value: unknown) => unknown {
  const operation = UNARY[operator] as (value: unknown) => unknown;
  return (value) => {
    const result = operation(value);
    if (result === undefined) throw noMatch({ name: `#unary_operator_${operator}` });
    return result;
  };
}

export const lessThan = binaryOperation('<') as (a: unknown, b: unknown) => boolean;
export const greaterThan = binaryOperation('>') as (a: unknown, b: unknown) => boolean;
export const add = binaryOperation('+');

/** Extra steps for a big integer, because of the memory it takes. */
const BIG_INTEGER_COST = 128;

export function numbers(a: unknown, b: unknown, operation: (a: Numeric, b: Numeric) => Numeric): unknown {
  if (!isNumber(a) || !isNumber(b)) return undefined;
  const result = operation(a, b);
  if (typeof result === 'bigint') budget().spend(BIG_INTEGER_COST);
  return result;
}

const quotient = (a: Numeric, b: Numeric): Numeric =>
  isFloat(a) || isFloat(b) ? arithmetic.divide(a, b) : arithmetic.floorDivide(asInt(a), asInt(b));

/** Division of doubles is not exact beyond 2^53. */
const asInt = (value: Numeric): Int =>
  typeof value === 'number' && !Number.isSafeInteger(value) ? asBigInt(value) : (value as Int);

function plus(a: unknown, b: unknown): unknown {
  if (typeof a === 'string') return typeof b === 'string' ? joined(a, b) : undefined;
  if (isYaqlIterable(a)) return isYaqlIterable(b) ? chained(a, b) : undefined;
  if (!isYaqlDict(a) || !isYaqlDict(b)) return undefined;
  const result = copyDict(a);
  for (const [key, value] of yaqlDictEntries(b)) result.set(key, value);
  return result;
}

function joined(a: string, b: string): string {
  budget().text(a.length + b.length);
  return a + b;
}

const isPartOf = (part: unknown, text: string): boolean | undefined =>
  typeof part === 'string' ? text.includes(part) : undefined;

function matches(text: unknown, pattern: unknown): boolean | undefined {
  if (typeof text !== 'string') return undefined;
  if (typeof pattern === 'string') return new RegexValue(pattern).test(text);
  return pattern instanceof RegexValue ? pattern.test(text) : undefined;
}

const negated = (value: boolean | undefined): boolean | undefined => (value === undefined ? undefined : !value);
