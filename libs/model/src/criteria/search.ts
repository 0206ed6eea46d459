import { isPlainObject } from '@switchyard/base';
import { pythonStr, pythonTypeName } from '../schema/python-repr';
import { NotApplicable, type CriterionEnv, type CriteriaDocument, type Operator } from './criterion';

/** An entry of criteria: its key, and whether a document matches it. */
export interface CompiledEntry {
  readonly key: string;
  readonly test: (document: CriteriaDocument, env: CriterionEnv) => boolean;
}

type Hit = (item: unknown, entry: CompiledEntry) => boolean;
type Condition = (items: readonly unknown[], entries: readonly CompiledEntry[], hit: Hit) => boolean;

const conditions: Readonly<Record<string, Condition>> = {
  any: (items, entries, hit) => items.some((item) => entries.every((entry) => hit(item, entry))),
  all: (items, entries, hit) => items.every((item) => entries.every((entry) => hit(item, entry))),
  any2any: (items, entries, hit) => items.some((item) => entries.some((entry) => hit(item, entry))),
  all2any: (items, entries, hit) => items.every((item) => entries.some((entry) => hit(item, entry))),
};

/** `search`: whether the elements of a list match entries that refer to them as `item`. @throws NotApplicable for an unknown condition */
export function searchOperator(entries: readonly CompiledEntry[], condition: unknown): Operator {
  const holds = typeof condition === 'string' && Object.hasOwn(conditions, condition) && conditions[condition];
  if (!holds) {
    throw new NotApplicable(
      `The '${pythonStr(condition)}' condition is not recognized for type search, 'any', 'all', 'any2any' and 'all2any' are allowed`,
    );
  }
  return (value, env) => holds(itemsOf(value), entries, (item, entry) => entry.test({ item }, env));
}

/** Searches an object as one element, and a text character by character. */
function itemsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (isPlainObject(value)) return [value];
  if (typeof value === 'string') return [...value];
  throw new NotApplicable(`'${pythonTypeName(value)}' object is not iterable`);
}
