import type { Collection } from '../collection';
import { where } from '../filter';
import { resourceRepository, type ResourceRepository } from './resources';

/** Records of which each pack has at most one; the pack's reference is their key. */
export interface PackRecordRepository<T extends { _id: string; pack: string }> extends ResourceRepository<T> {
  /** Removes the record of a pack. @returns false if there was none */
  removeOf(pack: string): Promise<boolean>;
}

export function packRecordRepository<T extends { _id: string; pack: string }>(
  records: Collection<T>,
): PackRecordRepository<T> {
  return {
    ...resourceRepository(records, 'pack'),
    removeOf: async (pack) => (await records.removeAll(where<T>('pack', pack))) > 0,
  };
}
