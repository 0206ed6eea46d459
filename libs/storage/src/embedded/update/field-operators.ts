import { mongo } from 'mongoose';
import { badValue, serverError, ServerErrorCode } from '../errors';
import { compareValues } from '../values/compare';
import { copyValue } from '../values/copy';
import type { Document } from '../values/document';
import { TypeOrder, typeOrder } from '../values/type-order';
import { findSlot, makeSlot } from './update-path';

/** Changes a document at one concrete path. @returns whether anything has changed */
export type FieldOperator = (document: Document, parts: readonly string[], operand: unknown) => boolean;

/** Operators on values of any kind. */
export const fieldOperators: Readonly<Record<string, FieldOperator>> = {
  $set: (document, parts, operand) => replaceWith(document, parts, operand),
  $setOnInsert: (document, parts, operand) => replaceWith(document, parts, operand),
  $unset: unset,
  $inc: (document, parts, operand) => arithmetic('$inc', document, parts, operand, (a, b) => a + b, 0),
  $mul: (document, parts, operand) => arithmetic('$mul', document, parts, operand, (a, b) => a * b, 0),
  $min: (document, parts, operand) => extreme(document, parts, operand, (order) => order < 0),
  $max: (document, parts, operand) => extreme(document, parts, operand, (order) => order > 0),
  $rename: rename,
  $currentDate: (document, parts, operand) => {
    if (operand !== true && (operand as Document)['$type'] !== 'date')
      throw badValue('$currentDate supports dates only');
    return replaceWith(document, parts, new Date());
  },
  $bit: bitwise,
};

/** Writes a value. Equality is that of BSON: 1 and Long(1) do not differ after reading either. */
export function replaceWith(document: Document, parts: readonly string[], value: unknown): boolean {
  const slot = makeSlot(document, parts);
  const before = slot.read();
  if (before !== undefined && compareValues(before, value) === 0) return false;
  slot.write(copyValue(value));
  return true;
}

function unset(document: Document, parts: readonly string[]): boolean {
  const slot = findSlot(document, parts);
  if (!slot || slot.read() === undefined) return false;
  slot.remove();
  return true;
}

function arithmetic(
  operator: string,
  document: Document,
  parts: readonly string[],
  operand: unknown,
  combine: (a: number, b: number) => number,
  missing: number,
): boolean {
  const amount = numeric(
    operand,
    () => `Cannot ${operator} with non-numeric argument: {${parts.join('.')}: ${JSON.stringify(operand)}}`,
  );
  const slot = makeSlot(document, parts);
  const before = slot.read();
  const path = parts.join('.');
  const message = () =>
    `Cannot apply ${operator} to a value of non-numeric type. {_id: ${JSON.stringify(document['_id'])}} has the field '${path}' of non-numeric type`;
  const value = before === undefined ? missing : numeric(before, message);
  const result = before === undefined && operator === '$inc' ? amount : combineNumbers(value, amount, combine);
  if (before !== undefined && compareValues(before, result) === 0) return false;
  slot.write(result);
  return true;
}

type Numeric = number | mongo.Long;

function numeric(value: unknown, message: () => string): Numeric {
  if (typeof value === 'number' || value instanceof mongo.Long) return value;
  throw serverError(ServerErrorCode.typeMismatch, message());
}

/** Integers stay exact beyond 2^53. */
function combineNumbers(a: Numeric, b: Numeric, combine: (a: number, b: number) => number): Numeric {
  if (typeof a === 'number' && typeof b === 'number') {
    const result = combine(a, b);
    if (!Number.isInteger(a) || !Number.isInteger(b) || Number.isSafeInteger(result)) return result;
  }
  const [left, right] = [mongo.Long.fromValue(a), mongo.Long.fromValue(b)];
  const result = combine(2, 3) === 5 ? left.add(right) : left.multiply(right);
  return Number.isSafeInteger(result.toNumber()) ? result.toNumber() : result;
}

function extreme(
  document: Document,
  parts: readonly string[],
  operand: unknown,
  better: (order: number) => boolean,
): boolean {
  const before = makeSlot(document, parts).read();
  if (before !== undefined && !better(compareValues(operand, before))) return false;
  return replaceWith(document, parts, operand);
}

function rename(document: Document, parts: readonly string[], operand: unknown): boolean {
  if (typeof operand !== 'string' || operand === '') throw badValue('$rename needs the new name');
  const slot = findSlot(document, parts);
  const value = slot?.read();
  if (!slot || value === undefined) return false;
  slot.remove();
  makeSlot(document, operand.split('.')).write(value);
  return true;
}

const bitOperations: Readonly<Record<string, (a: number, b: number) => number>> = {
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
};

function bitwise(document: Document, parts: readonly string[], operand: unknown): boolean {
  const before = makeSlot(document, parts).read() ?? 0;
  if (typeOrder(before) !== TypeOrder.number || typeof before !== 'number')
    throw badValue('$bit needs a whole number of 32 bits');
  let value = before;
  for (const [name, mask] of Object.entries(operand as Document)) {
    const operation = bitOperations[name];
    if (!operation || typeof mask !== 'number') throw badValue(`$bit does not know "${name}"`);
    value = operation(value, mask);
  }
  return replaceWith(document, parts, value);
}
