import type { AttributeSelection } from '@switchyard/http';
import type { RecordPath } from '@switchyard/storage';

/**
 * The stored fields to read for the selected attributes of a resource whose attributes are stored under their own names.
 * @param needed fields that the view always needs
 * @returns undefined for all fields
 */
export function storedFields<T>(
  { included, excluded, wants }: AttributeSelection,
  known: readonly string[],
  needed: readonly RecordPath<T>[] = [],
): RecordPath<T>[] | undefined {
  if (!included && excluded.size === 0) return undefined;
  const asked = known.filter((name) => name !== 'id' && wants(name)) as RecordPath<T>[];
  return [...new Set([...asked, ...needed])];
}
