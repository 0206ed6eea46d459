import { formatPercent } from '../format/percent';
import type { BinaryOperator } from '../syntax/nodes';
import { add, divide, floorDivide, modulo, multiply, power, subtract } from '../values/arithmetic';
import { isList, Tuple, tuple } from '../values/collections';
import { JinjaError } from '../values/jinja-error';
import { type Numeric, numeric } from '../values/number';
import { intArgument } from '../values/plain';
import { typeName } from '../values/type-name';
import { defined } from '../values/undefined';
import { ITEM_SIZE } from './budget';
import type { Run } from './run';

const ARITHMETIC: Readonly<Record<BinaryOperator, (a: Numeric, b: Numeric) => Numeric>> = {
  '+': add,
  '-': subtract,
  '*': multiply,
  '/': divide,
  '//': floorDivide,
  '%': modulo,
  '**': power,
};

/** Python's binary operators over numbers, texts and lists. @throws TypeError for other combinations */
export function binary(operator: BinaryOperator, left: unknown, right: unknown, run: Run): unknown {
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
  const types = `'${typeName(left)}' and '${typeName(right)}'`;
  return new JinjaError('TypeError', `unsupported operand type(s) for ${name}: ${types}`);
}

function join(left: unknown, right: unknown, run: Run): unknown {
  if (typeof left === 'string' && typeof right === 'string') {
    run.budget.produce(left.length + right.length);
    return left + right;
  }
  if (isList(left) && isList(right) && left instanceof Tuple === right instanceof Tuple) {
    run.budget.produce((left.length + right.length) * ITEM_SIZE);
    const items = [...left, ...right];
    return left instanceof Tuple ? tuple(items) : items;
  }
  if (typeof left === 'string') {
    throw new JinjaError('TypeError', `can only concatenate str (not "${typeName(right)}") to str`);
  }
  if (isList(left)) {
    const name = typeName(left);
    throw new JinjaError('TypeError', `can only concatenate ${name} (not "${typeName(right)}") to ${name}`);
  }
  throw unsupported('+', left, right);
}

function repeat(sequence: unknown, times: unknown, run: Run): unknown {
  if (typeof sequence !== 'string' && !isList(sequence)) throw unsupported('*', sequence, times);
  if (typeof times !== 'boolean' && typeName(times) !== 'int') {
    throw new JinjaError('TypeError', `can't multiply sequence by non-int of type '${typeName(times)}'`);
  }
  const count = Math.max(0, intArgument(times, 'times'));
  run.budget.produce(sequence.length * count * (typeof sequence === 'string' ? 1 : ITEM_SIZE));
  if (typeof sequence === 'string') return sequence.repeat(count);
  const items: unknown[] = [];
  for (let each = 0; each < count; each += 1) for (const item of sequence) items.push(item);
  return sequence instanceof Tuple ? tuple(items) : items;
}
