import { isPlainObject } from '@switchyard/base';
import type { Assignment } from './model';

/** The items of a list of single-key maps, one for one; the name is empty for an item that is none. */
export const assignments = (list: unknown): readonly Assignment[] => (Array.isArray(list) ? list.map(assignment) : []);

export function assignment(item: unknown): Assignment {
  const [first] = isPlainObject(item) ? Object.entries(item) : [];
  return first ? { name: first[0], value: first[1] } : { name: '', value: item };
}

export const texts = (list: unknown): readonly string[] =>
  Array.isArray(list) ? list.filter((item): item is string => typeof item === 'string') : [];
