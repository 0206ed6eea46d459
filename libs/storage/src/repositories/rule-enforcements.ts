import type { RuleEnforcementRecord } from '@switchyard/model';
import type { Collection, Filter, Page } from '../collection';
import { isDuplicateKey } from '../duplicate-keys';

export interface RuleEnforcementRepository {
  /** Stores it, or answers the one of the same trigger instance and rule. */
  insertOnce(record: RuleEnforcementRecord): Promise<{ record: RuleEnforcementRecord; created: boolean }>;
  get(id: string): Promise<RuleEnforcementRecord | undefined>;
  list(page?: Page): Promise<RuleEnforcementRecord[]>;
  /** As `list`, one after the other. */
  each(page?: Page): AsyncIterable<RuleEnforcementRecord>;
  count(filter?: Filter): Promise<number>;
}

export const ruleEnforcementRepository = (records: Collection<RuleEnforcementRecord>): RuleEnforcementRepository => ({
  async insertOnce(record) {
    try {
      return { record: await records.insert(record), created: true };
    } catch (error) {
      if (!isDuplicateKey((error as Error).cause)) throw error;
      const existing = await records.findOne({ request_key: record.request_key });
      if (!existing) throw error;
      return { record: existing, created: false };
    }
  },
  get: (id) => records.get(id),
  list: (page) => records.list(page),
  each: (page) => records.each(page),
  count: (filter) => records.count(filter),
});
