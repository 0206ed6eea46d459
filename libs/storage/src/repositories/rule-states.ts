import { isFault, type Micros } from '@switchyard/base';
import type { RuleStateRecord } from '@switchyard/model';
import type { Collection } from '../collection';

export interface RuleStateRepository {
  get(id: string): Promise<RuleStateRecord | undefined>;
  /**
   * Compare-and-set of the whole state: stores it if the stored revision is the one before, or if nothing is stored and it is
   * the first. @returns whether it was stored
   */
  save(record: RuleStateRecord): Promise<boolean>;
  /** States with something due at a point in time, the earliest first. */
  due(now: Micros, limit: number): Promise<RuleStateRecord[]>;
  /** The next due time. */
  nextDue(): Promise<Micros | undefined>;
}

const FIRST = 1;

export const ruleStateRepository = (states: Collection<RuleStateRecord>): RuleStateRepository => ({
  get: (id) => states.get(id),
  async save(record) {
    if (record.revision === FIRST) return insert(states, record);
    const { _id, due, ...fields } = record;
    const changed = await states.change(
      { _id, revision: record.revision - 1 },
      { set: { ...fields, ...(due === undefined ? {} : { due }) }, unset: due === undefined ? ['due'] : [] },
    );
    return changed !== undefined;
  },
  due: (now, limit) => states.list({ filter: { due: { $lte: now } }, sort: { due: 1 }, limit }),
  async nextDue() {
    const [next] = await states.list({ filter: { due: { $gt: 0 } }, sort: { due: 1 }, limit: 1, fields: ['due'] });
    return next?.due;
  },
});

async function insert(states: Collection<RuleStateRecord>, record: RuleStateRecord): Promise<boolean> {
  try {
    await states.insert(record);
    return true;
  } catch (error) {
    if (isFault(error) && error.code === 'storage.duplicate') return false;
    throw error;
  }
}
