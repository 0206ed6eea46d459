import { isPlainObject } from '@switchyard/base';
import type { Assignment } from './model';

/**
 * The items of a list of single-key maps, one for one; the name is empty for an item that is none. What ought to be such a
 * list and is one map is read as if each of its pairs were an item.
 */
export function assignments(given: unknown): readonly Assignment[] {
  if (Array.isArray(given)) return given.map(assignment);
  return isPlainObject(given) ? pairsOf(given) : [];
}

export function assignment(item: unknown): Assignment {
  const [first, ...more] = isPlainObject(item) ? pairsOf(item) : [];
  if (first === undefined) return { name: '', value: item };
  return more.length === 0 ? first : { ...first, more };
}

const pairsOf = (map: Readonly<Record<string, unknown>>): Assignment[] =>
  Object.entries(map).map(([name, value]) => ({ name, value }));

export const texts = (list: unknown): readonly string[] =>
  Array.isArray(list) ? list.filter((item): item is string => typeof item === 'string') : [];
