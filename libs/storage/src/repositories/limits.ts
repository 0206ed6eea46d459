import { isFault } from '@switchyard/base';
import type { LimitRecord } from '@switchyard/model';
import type { Collection } from '../collection';

/** Which executions count towards the limits of policies, by group. A group without a record is unused. */
export interface LimitRepository {
  get(key: string): Promise<LimitRecord | undefined>;
  list(): Promise<LimitRecord[]>;
  /**
   * Compare-and-set of the whole record: stores it if the stored record is still the previous one, or if there was and is none.
   * @returns whether it was stored
   */
  save(record: LimitRecord, before: LimitRecord | undefined): Promise<boolean>;
  /** Removes an execution from all groups. @returns the groups */
  free(execution: string): Promise<string[]>;
  /** Removes executions from one group. */
  drop(key: string, executions: readonly string[]): Promise<void>;
  /** Removes a group, unless it has changed since it was read. */
  remove(record: LimitRecord): Promise<void>;
}

export const limitRepository = (limits: Collection<LimitRecord>): LimitRepository => ({
  get: (key) => limits.get(key),
  list: () => limits.list(),
  async save(record, before) {
    if (!before) return insert(limits, record);
    return (await limits.swap({ _id: record._id, revision: before.revision }, record)) !== undefined;
  },
  async free(execution) {
    const held = await limits.list({ filter: { holders: execution }, fields: ['_id'] });
    if (held.length > 0)
      await limits.changeAll({ holders: execution }, { pull: { holders: execution }, inc: { revision: 1 } });
    return held.map(({ _id }) => _id);
  },
  async drop(key, executions) {
    for (const execution of executions)
      await limits.change({ _id: key, holders: execution }, { pull: { holders: execution }, inc: { revision: 1 } });
  },
  async remove({ _id, revision }) {
    await limits.removeAll({ _id, revision });
  },
});

async function insert(limits: Collection<LimitRecord>, record: LimitRecord): Promise<boolean> {
  try {
    await limits.insert(record);
    return true;
  } catch (error) {
    if (isFault(error) && error.code === 'storage.duplicate') return false;
    throw error;
  }
}
