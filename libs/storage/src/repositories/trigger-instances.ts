import { newId, type Micros } from '@switchyard/base';
import type { TriggerInstanceOutcome, TriggerInstanceRecord, TriggerInstanceStatus } from '@switchyard/model';
import type { Collection } from '../collection';
import { agedRecords, type AgedRecords } from './aged-records';
import type { RecordChange, Filter, RecordPage } from '../filter';
import { isDuplicateKey } from '../duplicate-keys';

/** The consumer of trigger instances. */
const RULES_ENGINE = 'rules-engine';

const PROCESSING = { status: 'processing' } as const;

/** The outcome of an instance, and the status that it must have until then. */
export interface TriggerInstanceEnd {
  readonly id: string;
  readonly from: TriggerInstanceStatus;
  readonly status: TriggerInstanceStatus;
  readonly outcome: TriggerInstanceOutcome;
}

export interface TriggerInstanceRepository extends AgedRecords<TriggerInstanceRecord> {
  /** Stores the instance, or returns the existing one with its request key. */
  insertOnce(record: TriggerInstanceRecord): Promise<{ record: TriggerInstanceRecord; created: boolean }>;
  get(id: string): Promise<TriggerInstanceRecord | undefined>;
  /** The existing ones among some instances, unordered. */
  getAll(ids: readonly string[]): Promise<TriggerInstanceRecord[]>;
  list(page?: RecordPage<TriggerInstanceRecord>): Promise<TriggerInstanceRecord[]>;
  /** Like `list`, one record at a time. */
  each(page?: RecordPage<TriggerInstanceRecord>): AsyncIterable<TriggerInstanceRecord>;
  count(filter?: Filter<TriggerInstanceRecord>): Promise<number>;
  /** Compare-and-set of the status. @returns undefined if the status was another one */
  change(
    id: string,
    from: readonly TriggerInstanceStatus[],
    change: RecordChange<TriggerInstanceRecord>,
  ): Promise<TriggerInstanceRecord | undefined>;
  /** Ends instances with one call, each by compare-and-set of its status. Those with another status stay unchanged. */
  endAll(ends: readonly TriggerInstanceEnd[]): Promise<void>;
  /** Claims a pending instance. @returns undefined if it is no longer pending */
  claim(id: string, now: Micros): Promise<TriggerInstanceRecord | undefined>;
  /** Claims an instance whose processing has timed out. Only one of several claimants succeeds. */
  reclaim(overdue: TriggerInstanceRecord, now: Micros): Promise<TriggerInstanceRecord | undefined>;
  /** Instances that the rules engine should have processed before a point in time, oldest first. */
  overdue(before: Micros, limit: number): Promise<TriggerInstanceRecord[]>;
  /** Records that a reminder was sent to the rules engine. */
  postpone(ids: readonly string[], dueAt: Micros): Promise<void>;
}

export const triggerInstanceRepository = (instances: Collection<TriggerInstanceRecord>): TriggerInstanceRepository => ({
  ...agedRecords(instances, 'occurrence_time', { also: { due: { $exists: false } } }),
  async insertOnce(record) {
    try {
      return { record: await instances.insert(record), created: true };
    } catch (error) {
      if (!isDuplicateKey((error as Error).cause)) throw error;
      const { request_key: key } = record;
      const existing = key === undefined ? undefined : await instances.findOne({ request_key: key });
      if (!existing) throw error;
      return { record: existing, created: false };
    }
  },
  get: (id) => instances.get(id),
  list: (page) => instances.list(page),
  each: (page) => instances.each(page),
  count: (filter) => instances.count(filter),
  change: (id, from, change) => instances.change({ _id: id, status: { $in: [...from] } }, change),
  getAll: (ids) => instances.list({ filter: { _id: { $in: [...ids] } } }),
  endAll: async (ends) =>
    void (await instances.changeEach(
      ends.map(({ id, from, ...ended }) => ({
        filter: { _id: id, status: from },
        change: { set: ended, unset: ['due', 'due_at', 'claim'] },
      })),
    )),
  claim(id, now) {
    const claim = newId();
    const pending = { due: RULES_ENGINE, status: 'pending' } as const;
    const isOurs = (record: TriggerInstanceRecord) => (record.claim === claim ? record : undefined);
    return instances.changeRecord(id, pending, { set: { ...PROCESSING, due_at: now, claim } }, { recognize: isOurs });
  },
  reclaim: ({ _id, status, due_at: dueAt = null }, now) =>
    instances.change({ _id, due: RULES_ENGINE, status, due_at: dueAt }, { set: { ...PROCESSING, due_at: now } }),
  overdue: (before, limit) =>
    instances.list({ filter: { due: RULES_ENGINE, due_at: { $lt: before } }, sort: { due_at: 1 }, limit }),
  async postpone(ids, dueAt) {
    await instances.changeAll({ _id: { $in: ids }, due: { $exists: true } }, { set: { due_at: dueAt } });
  },
});
