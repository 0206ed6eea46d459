import { fault } from '@switchyard/base';
import type { ResourceRepository } from '@switchyard/storage';
import { storedRef } from '@switchyard/triggers';

/** Finds the record that a path names by reference or id. @throws Fault `resource.ref-not-found` */
export async function findRecord<T extends { _id: string }>(
  records: Pick<ResourceRepository<T>, 'find'>,
  named: string | undefined,
): Promise<T> {
  const given = named ?? '';
  const record = await records.find(storedRef(given));
  if (!record) throw fault('resource.ref-not-found', { id: given });
  return record;
}

/**
 * Finds the record that a PUT replaces. As in StackStorm, an invalid body is reported even if there is no such record.
 * @param check throws the fault of an invalid body
 */
export async function findReplaced<T extends { _id: string }>(
  records: Pick<ResourceRepository<T>, 'find'>,
  named: string | undefined,
  check: () => unknown,
): Promise<T> {
  const record = await records.find(storedRef(named ?? ''));
  if (record) return record;
  await check();
  throw fault('resource.ref-not-found', { id: named ?? '' });
}
