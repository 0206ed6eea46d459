import type { RuleEnforcementRecord } from '@switchyard/model';
import type { Collection } from '../collection';
import { agedRecords, type AgedRecords } from './aged-records';
import type { Filter, RecordPage } from '../filter';
import { isDuplicateKey } from '../duplicate-keys';

export interface RuleEnforcementRepository extends AgedRecords<RuleEnforcementRecord> {
  /** Stores the enforcement, or returns the existing one for the same trigger instance and rule. */
  insertOnce(record: RuleEnforcementRecord): Promise<{ record: RuleEnforcementRecord; created: boolean }>;
  get(id: string): Promise<RuleEnforcementRecord | undefined>;
  list(page?: RecordPage<RuleEnforcementRecord>): Promise<RuleEnforcementRecord[]>;
  /** Like `list`, one record at a time. */
  each(page?: RecordPage<RuleEnforcementRecord>): AsyncIterable<RuleEnforcementRecord>;
  count(filter?: Filter<RuleEnforcementRecord>): Promise<number>;
}

export const ruleEnforcementRepository = (records: Collection<RuleEnforcementRecord>): RuleEnforcementRepository => ({
  ...agedRecords(records, 'enforced_at'),
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
