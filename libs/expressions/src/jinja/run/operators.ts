import { assertNever } from '@switchyard/base';
import { formatPercent } from '../format/percent';
import type { BinaryOperator, ComparisonOperator } from '../syntax/nodes';
import { addNumbers, divide, floorDivide, modulo, multiply, power, subtract } from '../values/arithmetic';
import { isJinjaList, Tuple, tuple, jinjaTypeName } from '../values/collections';
import { JinjaError } from '../values/jinja-error';
import { type Numeric, numeric } from '../values/number';
import { intArgument } from '../values/plain';
import { defined } from '../values/undefined';
import { ITEM_SIZE } from './budget';
import type { JinjaRendering } from './run';
import { compareJinja, contains, equalsJinja } from '../values/compare';

const ARITHMETIC: Readonly<Record<BinaryOperator, (a: Numeric, b: Numeric) => Numeric>> = {
  '+': addNumbers,
  '-': subtract,
  '*': multiply,
  '/': divide,
  '//': floorDivide,
  '%': modulo,
  '**': power,
};

/** Python's binary operators for numbers, texts and lists. @throws TypeError for other combinations */
export function binary(operator: BinaryOperator, left: unknown, right: unknown, run: JinjaRendering): unknown {
  const a = numeric(defined(left));
  const b = numeric(defined(right));
  if (a !== undefined && b !== undefined) return ARITHMETIC[operator](a, b);
  if (operator === '+') return join(left, right, run);
  if (operator === '*' && b !== undefined) return repeat(left, right, run);
  if (operator === '*' && a !== undefined) return repeat(right, left, run);
  if (operator === '%' && typeof left === 'string') return formatPercent(left, right, run);
  throw unsupported(operator, left, right);
}

function unsupported(operator: BinaryOperator, left: unknown, right: unknown): JinjaError {
  const name = operator === '**' ? '** or pow()' : operator;
  const types = `'${jinjaTypeName(left)}' and '${jinjaTypeName(right)}'`;
  return new JinjaError('TypeError', `unsupported operand type(s) for ${name}: ${types}`);
}

function join(left: unknown, right: unknown, run: JinjaRendering): unknown {
  if (typeof left === 'string' && typeof right === 'string') {
    run.budget.produce(left.length + right.length);
    return left + right;
  }
  if (isJinjaList(left) && isJinjaList(right) && left instanceof Tuple === right instanceof Tuple) {
    run.budget.produce((left.length + right.length) * ITEM_SIZE);
    const items = [...left, ...right];
    return left instanceof Tuple ? tuple(items) : items;
  }
  if (typeof left === 'string') {
    throw new JinjaError('TypeError', `can only concatenate str (not "${jinjaTypeName(right)}") to str`);
  }
  if (isJinjaList(left)) {
    const name = jinjaTypeName(left);
    throw new JinjaError('TypeError', `can only concatenate ${name} (not "${jinjaTypeName(right)}") to ${name}`);
  }
  throw unsupported('+', left, right);
}

function repeat(sequence: unknown, times: unknown, run: JinjaRendering): unknown {
  if (typeof sequence !== 'string' && !isJinjaList(sequence)) throw unsupported('*', sequence, times);
  if (typeof times !== 'boolean' && jinjaTypeName(times) !== 'int') {
    throw new JinjaError('TypeError', `can't multiply sequence by non-int of type '${jinjaTypeName(times)}'`);
  }
  const count = Math.max(0, intArgument(times, 'times'));
  run.budget.produce(sequence.length * count * (typeof sequence === 'string' ? 1 : ITEM_SIZE));
  if (typeof sequence === 'string') return sequence.repeat(count);
  const items: unknown[] = [];
  for (let each = 0; each < count; each += 1) for (const item of sequence) items.push(item);
  return sequence instanceof Tuple ? tuple(items) : items;
}

/** Whether a comparison is true. */
export function comparisonHolds(operator: ComparisonOperator, left: unknown, right: unknown): boolean {
  switch (operator) {
    case '==':
      return equalsJinja(left, right);
    case '!=':
      return !equalsJinja(left, right);
    case 'in':
      return contains(right, left);
    case 'not in':
      return !contains(right, left);
    case '<':
      return compareJinja(left, right, operator) < 0;
    case '<=':
      return compareJinja(left, right, operator) <= 0;
    case '>':
      return compareJinja(left, right, operator) > 0;
    case '>=':
      return compareJinja(left, right, operator) >= 0;
    default:
      return assertNever(operator);
  }
}
