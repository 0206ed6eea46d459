import { sortKeys } from '@switchyard/model/resources';
import type { RecordPath } from '@switchyard/storage';
import type { Static, TObject } from '@sinclair/typebox';

/**
 * Sort key of clients → stored field, from the schema of the records.
 * @param only the keys of a list that has fewer than its records
 */
export function sortableBy<S extends TObject>(
  record: S,
  only?: readonly string[],
): Readonly<Record<string, RecordPath<Static<S>>>> {
  const keys = sortKeys(record) as Readonly<Record<string, RecordPath<Static<S>>>>;
  return only ? Object.fromEntries(Object.entries(keys).filter(([key]) => only.includes(key))) : keys;
}
