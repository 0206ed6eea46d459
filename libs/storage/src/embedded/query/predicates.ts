import { mongo } from 'mongoose';
import { badValue, unsupported } from '../errors';
import { compareValues, equalValues } from '../values/compare';
import { TypeOrder, typeOrder } from '../values/type-order';

/** Whether a value at a path matches. An array at the end of the path matches as a whole or by one of its elements. */
export type Predicate = (leaf: unknown) => boolean;

/** Predicates of the operators that depend only on their operand. */
export const simplePredicates: Readonly<Record<string, (operand: unknown) => Predicate>> = {
  $eq: equalTo,
  $gt: (operand) => ordered(operand, (order) => order > 0),
  $gte: (operand) => ordered(operand, (order) => order >= 0),
  $lt: (operand) => ordered(operand, (order) => order < 0),
  $lte: (operand) => ordered(operand, (order) => order <= 0),
  $in: oneOf,
  $exists: () => (leaf) => leaf !== undefined,
  $size: hasSize,
  $mod: hasRemainder,
  $type: hasType,
};

const orAnyElement =
  (test: Predicate): Predicate =>
  (leaf) =>
    test(leaf) || (Array.isArray(leaf) && leaf.some(test));

export function equalTo(operand: unknown): Predicate {
  if (operand instanceof RegExp) return patternPredicate(operand);
  if (typeof operand === 'string' || typeof operand === 'boolean') {
    return (leaf) => leaf === operand || (Array.isArray(leaf) && leaf.includes(operand));
  }
  return orAnyElement((value) => equalValues(value, operand));
}

/** Compares within one class of types: a number is never greater than a string. */
function ordered(operand: unknown, accepts: (order: number) => boolean): Predicate {
  const order = typeOrder(operand);
  const open = order === TypeOrder.minKey || order === TypeOrder.maxKey;
  const nan = Number.isNaN(operand);
  return orAnyElement((value) => {
    if (value === undefined && order !== TypeOrder.null) return false;
    if (!open && typeOrder(value) !== order) return false;
    if (nan !== Number.isNaN(value)) return false;
    return accepts(compareValues(value, operand));
  });
}

function oneOf(operand: unknown): Predicate {
  if (!Array.isArray(operand)) throw badValue('$in needs an array');
  if (operand.every((item) => typeof item === 'string')) {
    const accepted = new Set<unknown>(operand);
    return orAnyElement((value) => accepted.has(value));
  }
  const tests = operand.map(equalTo);
  return (leaf) => tests.some((test) => test(leaf));
}

function hasSize(operand: unknown): Predicate {
  if (!Number.isInteger(operand) || (operand as number) < 0) throw badValue('$size must be a whole number');
  return (leaf) => Array.isArray(leaf) && leaf.length === operand;
}

function hasRemainder(operand: unknown): Predicate {
  if (!Array.isArray(operand) || operand.length !== 2) throw badValue('malformed mod, needs a divisor and a remainder');
  const [divisor, remainder] = operand.map((item) => Math.trunc(Number(item))) as [number, number];
  if (divisor === 0 || Number.isNaN(divisor)) throw badValue('divisor cannot be 0');
  return orAnyElement((value) => typeof value === 'number' && Math.trunc(value) % divisor === remainder);
}

/** @param pattern a RegExp; its flag `g` is meaningless and dropped */
export function patternPredicate(pattern: RegExp): Predicate {
  const stateless =
    pattern.global || pattern.sticky ? new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, '')) : pattern;
  const shown = String(pattern);
  return orAnyElement((value) =>
    typeof value === 'string' ? stateless.test(value) : value instanceof RegExp && String(value) === shown,
  );
}

const typeNumbers: Readonly<Record<number, string>> = {
  1: 'double',
  2: 'string',
  3: 'object',
  4: 'array',
  5: 'binData',
  7: 'objectId',
  8: 'bool',
  9: 'date',
  10: 'null',
  11: 'regex',
  16: 'int',
  17: 'timestamp',
  18: 'long',
  19: 'decimal',
};

const MAX_INT32 = 2 ** 31 - 1;
const isInt = (value: unknown) =>
  typeof value === 'number' && Number.isInteger(value) && value >= -MAX_INT32 - 1 && value <= MAX_INT32;

const typeTests: Readonly<Record<string, Predicate>> = {
  double: (value) => typeof value === 'number' && !isInt(value),
  string: (value) => typeof value === 'string',
  object: (value) => value !== undefined && typeOrder(value) === TypeOrder.object,
  array: Array.isArray,
  binData: (value) => value instanceof mongo.Binary,
  objectId: (value) => value instanceof mongo.ObjectId,
  bool: (value) => typeof value === 'boolean',
  date: (value) => value instanceof Date,
  null: (value) => value === null,
  regex: (value) => value instanceof RegExp,
  int: isInt,
  timestamp: (value) => value instanceof mongo.Timestamp,
  long: (value) => value instanceof mongo.Long,
  decimal: (value) => value instanceof mongo.Decimal128,
  number: (value) => value !== undefined && typeOrder(value) === TypeOrder.number,
};

function hasType(operand: unknown): Predicate {
  const tests = (Array.isArray(operand) ? operand : [operand]).map((type: unknown) => {
    const test = typeTests[typeof type === 'number' ? (typeNumbers[type] ?? '') : String(type)];
    if (!test) throw unsupported(`$type: ${String(type)}`);
    return test;
  });
  return orAnyElement((value) => tests.some((test) => test(value)));
}
