import { mongo } from 'mongoose';
import type { ParsedFilter } from '../query/parse-filter';
import { copyValue } from '../values/copy';
import type { Document } from '../values/document';
import type { Updater } from './parse-update';
import { makeSlot } from './update-path';

/** Builds the document that an upsert inserts: the equality conditions of the filter, then the update, then an id. */
export function upserted(filter: ParsedFilter, update: Updater): Document {
  const base: Document = {};
  for (const { on } of filter.conditions) {
    if (!on || on.negative) continue;
    const value = equalValueOf(on.operator, on.operand);
    if (value !== undefined) makeSlot(base, on.parts).write(copyValue(value.only));
  }
  const { document } = update(base, { inserting: true });
  return document['_id'] === undefined ? { _id: new mongo.ObjectId(), ...document } : document;
}

function equalValueOf(operator: string, operand: unknown): { only: unknown } | undefined {
  if (operator === '$eq') return { only: operand };
  if ((operator === '$in' || operator === '$all') && Array.isArray(operand) && operand.length === 1) {
    return { only: operand[0] as unknown };
  }
  return undefined;
}
