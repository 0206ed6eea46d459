import type { Collection } from '../collection';
import { resourceRepository, type ResourceRepository } from './resources';

/** Records of which each pack has one at most; the pack's reference is their key. */
export interface PackRecordRepository<T extends { _id: string; pack: string }> extends ResourceRepository<T> {
  /** Removes that of a pack. @returns false when there was none */
  removeOf(pack: string): Promise<boolean>;
}

export function packRecordRepository<T extends { _id: string; pack: string }>(
  records: Collection<T>,
): PackRecordRepository<T> {
  return {
    ...resourceRepository(records, 'pack'),
    removeOf: async (pack) => (await records.removeAll({ pack })) > 0,
  };
}
