import { isDeepStrictEqual } from 'node:util';
import { isFault, newId } from '@switchyard/base';
import type { ResourceRepository } from '@switchyard/storage';

/**
 * Stores a record under its key, keeping the id of the one that is there; nothing is written when that one is the same.
 * Several processes may do so at once, as they do when they start together.
 * @param stored what was there when somebody last looked
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

async function isInPlace<T extends { _id: string }>(
  records: Pick<ResourceRepository<T>, 'replace'>,
  draft: Omit<T, '_id'>,
  stored: T,
): Promise<boolean> {
  const record = { ...draft, _id: stored._id } as T;
  return isDeepStrictEqual(plain(stored), plain(record)) || records.replace(record);
}

/** The same whatever built the objects and however their keys are ordered. */
const plain = (record: object): unknown => JSON.parse(JSON.stringify(record));
