import type { Micros } from '@switchyard/base';
import type { TriggerInstanceOutcome, TriggerInstanceRecord, TriggerInstanceStatus } from '@switchyard/model';
import type { Change, Collection, Filter, Page } from '../collection';
import { isDuplicateKey } from '../duplicate-keys';

/** Who acts on trigger instances. */
const RULES_ENGINE = 'rules-engine';

const PROCESSING = { status: 'processing' } as const;

/** What became of an instance that has a status until then. */
export interface TriggerInstanceEnd {
  readonly id: string;
  readonly from: TriggerInstanceStatus;
  readonly status: TriggerInstanceStatus;
  readonly outcome: TriggerInstanceOutcome;
}

export interface TriggerInstanceRepository {
  /** Stores the instance, or answers the one that already has its request key. */
  insertOnce(record: TriggerInstanceRecord): Promise<{ record: TriggerInstanceRecord; created: boolean }>;
  get(id: string): Promise<TriggerInstanceRecord | undefined>;
  /** Those of some instances that are there, in no order. */
  getAll(ids: readonly string[]): Promise<TriggerInstanceRecord[]>;
  list(page?: Page): Promise<TriggerInstanceRecord[]>;
  /** As `list`, one after the other. */
  each(page?: Page): AsyncIterable<TriggerInstanceRecord>;
  count(filter?: Filter): Promise<number>;
  /** Compare-and-set on the status. @returns undefined when it was another one */
  change(
    id: string,
    from: readonly TriggerInstanceStatus[],
    change: Change,
  ): Promise<TriggerInstanceRecord | undefined>;
  /** Ends instances, each by a compare-and-set on its status, with one call. Those that have another status stay as they are. */
  endAll(ends: readonly TriggerInstanceEnd[]): Promise<void>;
  /** Marks a pending instance as being dealt with. @returns undefined when it is not pending any more */
  claim(id: string, now: Micros): Promise<TriggerInstanceRecord | undefined>;
  /** The same for one that nobody has dealt with in time. Of several who try, one gets it. */
  reclaim(overdue: TriggerInstanceRecord, now: Micros): Promise<TriggerInstanceRecord | undefined>;
  /** Instances that the rules engine should have dealt with before a point in time, oldest first. */
  overdue(before: Micros, limit: number): Promise<TriggerInstanceRecord[]>;
  /** Notes that the rules engine was reminded. */
  postpone(ids: readonly string[], dueAt: Micros): Promise<void>;
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
  each: (page) => instances.each(page),
  count: (filter) => instances.count(filter),
  change: (id, from, change) => instances.change({ _id: id, status: { $in: [...from] } }, change),
  getAll: (ids) => instances.list({ filter: { _id: { $in: [...ids] } } }),
  endAll: async (ends) =>
    void (await instances.changeEach(
      ends.map(({ id, from, ...ended }) => ({
        filter: { _id: id, status: from },
        change: { set: ended, unset: ['due', 'due_at'] },
      })),
    )),
  claim: (id, now) =>
    instances.change({ _id: id, due: RULES_ENGINE, status: 'pending' }, { set: { ...PROCESSING, due_at: now } }),
  reclaim: ({ _id, status, due_at: dueAt = null }, now) =>
    instances.change({ _id, due: RULES_ENGINE, status, due_at: dueAt }, { set: { ...PROCESSING, due_at: now } }),
  overdue: (before, limit) =>
    instances.list({ filter: { due: RULES_ENGINE, due_at: { $lt: before } }, sort: { due_at: 1 }, limit }),
  async postpone(ids, dueAt) {
    await instances.changeAll({ _id: { $in: ids }, due: { $exists: true } }, { set: { due_at: dueAt } });
  },
});
