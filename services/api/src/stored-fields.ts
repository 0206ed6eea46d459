import type { AttributeSelection } from '@switchyard/http';

/**
 * The stored fields of a resource whose attributes are stored under their own names, as far as they were asked for.
 * @param needed fields that the view is made with, whatever was asked for
 * @returns undefined for all of them
 */
export function storedFields(
  { included, excluded, wants }: AttributeSelection,
  known: readonly string[],
  needed: readonly string[] = [],
): string[] | undefined {
  if (!included && excluded.size === 0) return undefined;
  return [...new Set([...known.filter((name) => name !== 'id' && wants(name)), ...needed])];
}
