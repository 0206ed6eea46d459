import type { TriggerInstanceRecord } from '@switchyard/model';
import { isDuplicateKey, type Collection, type Page } from '../collection';

export interface TriggerInstanceRepository {
  /** Stores the instance unless one with its request key exists. @returns true when it is new */
  insertOnce(record: TriggerInstanceRecord): Promise<boolean>;
  get(id: string): Promise<TriggerInstanceRecord | undefined>;
  list(page?: Page): Promise<TriggerInstanceRecord[]>;
}

export const triggerInstanceRepository = (instances: Collection<TriggerInstanceRecord>): TriggerInstanceRepository => ({
  async insertOnce(record) {
    try {
      await instances.insert(record);
      return true;
    } catch (error) {
      if (!isDuplicateKey((error as Error).cause)) throw error;
      return false;
    }
  },
  get: (id) => instances.get(id),
  list: (page) => instances.list(page),
});
