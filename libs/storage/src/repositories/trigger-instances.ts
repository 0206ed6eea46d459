import type { TriggerInstanceRecord } from '@switchyard/model';
import { isDuplicateKey, type Collection, type Page } from '../collection';

export interface TriggerInstanceRepository {
  /** Stores the instance, or answers the one that already has its request key. */
  insertOnce(record: TriggerInstanceRecord): Promise<{ record: TriggerInstanceRecord; created: boolean }>;
  get(id: string): Promise<TriggerInstanceRecord | undefined>;
  list(page?: Page): Promise<TriggerInstanceRecord[]>;
}

export const triggerInstanceRepository = (instances: Collection<TriggerInstanceRecord>): TriggerInstanceRepository => ({
  async insertOnce(record) {
    try {
      return { record: await instances.insert(record), created: true };
    } catch (error) {
      if (!isDuplicateKey((error as Error).cause)) throw error;
      const existing = await instances.findOne({ request_key: record.request_key });
      if (!existing) throw error;
      return { record: existing, created: false };
    }
  },
  get: (id) => instances.get(id),
  list: (page) => instances.list(page),
});
