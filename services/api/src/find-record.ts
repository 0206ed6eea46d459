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
