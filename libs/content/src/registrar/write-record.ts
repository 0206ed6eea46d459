import { isDeepStrictEqual } from 'node:util';
import { isFault, newId } from '@switchyard/base';
import type { ResourceRepository } from '@switchyard/storage';

/**
 * Stores a record under its key, keeping the id of an existing one. Unchanged records are not written. Safe when several
 * processes do so at once, as when they start together.
 * @param stored the existing record, as last read
 */
export async function writeRecord<T extends { _id: string }>(
  records: Pick<ResourceRepository<T>, 'byKey' | 'insert' | 'replace'>,
  key: string,
  draft: Omit<T, '_id'>,
  stored: T | undefined,
): Promise<void> {
  if (stored && (await isInPlace(records, draft, stored))) return;
  try {
    await records.insert({ ...draft, _id: newId() } as T);
  } catch (error) {
    const other = isFault(error) && error.code === 'storage.duplicate' ? await records.byKey(key) : undefined;
    if (!other || !(await isInPlace(records, draft, other))) throw error;
  }
}

/** Whether two records hold the same JSON, whatever built the objects and in whatever order. */
export const isSameRecord = (one: object, other: object): boolean =>
  isDeepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)));

async function isInPlace<T extends { _id: string }>(
  records: Pick<ResourceRepository<T>, 'replace'>,
  draft: Omit<T, '_id'>,
  stored: T,
): Promise<boolean> {
  const record = { ...draft, _id: stored._id } as T;
  return isSameRecord(stored, record) || records.replace(record);
}
