import { isFault, type Micros } from '@switchyard/base';
import type { TimerRecord } from '@switchyard/model';
import type { Collection } from '../collection';

/** The outcome of a tick: the next time, if any, and the tick itself. */
export interface TimerAdvance {
  readonly next: Micros | undefined;
  readonly fired?: Micros;
  readonly now: Micros;
}

/** The next times of timers. */
export interface TimerRepository {
  list(): Promise<TimerRecord[]>;
  get(id: string): Promise<TimerRecord | undefined>;
  /** Writes the whole record. @param before the record it replaces @returns false if that was changed in the meantime */
  enter(record: TimerRecord, before: TimerRecord | undefined): Promise<boolean>;
  remove(id: string): Promise<void>;
  /** Due timers, the longest overdue first. */
  due(now: Micros, limit: number): Promise<TimerRecord[]>;
  /** The earliest time after another one. */
  nextDue(after: Micros): Promise<Micros | undefined>;
  /** Compare-and-set of the due time. @returns false if the due time was another one */
  advance(record: Pick<TimerRecord, '_id' | 'due_at' | 'fingerprint'>, advance: TimerAdvance): Promise<boolean>;
}

/** Fields that a timer may lack. */
const LATER = ['due_at', 'fired'] as const;

export const timerRepository = (timers: Collection<TimerRecord>): TimerRepository => ({
  list: () => timers.list(),
  get: (id) => timers.get(id),
  async enter(record, before) {
    if (before) {
      const { _id, ...set } = record;
      const unset = LATER.filter((field) => record[field] === undefined);
      return (await timers.change({ _id, written_at: before.written_at }, { set, unset })) !== undefined;
    }
    try {
      await timers.insert(record);
      return true;
    } catch (error) {
      if (isFault(error) && error.code === 'storage.duplicate') return false;
      throw error;
    }
  },
  remove: async (id) => {
    await timers.remove(id);
  },
  due: (now, limit) => timers.list({ filter: { due_at: { $lte: now } }, sort: { due_at: 1 }, limit }),
  async nextDue(after) {
    const [next] = await timers.list({
      filter: { due_at: { $gt: after } },
      sort: { due_at: 1 },
      limit: 1,
      fields: ['due_at'],
    });
    return next?.due_at;
  },
  async advance({ _id, due_at, fingerprint }, { next, fired, now }) {
    const changed = await timers.change(
      { _id, due_at: due_at ?? null, fingerprint },
      {
        set: {
          written_at: now,
          ...(next === undefined ? {} : { due_at: next }),
          ...(fired === undefined ? {} : { fired }),
        },
        ...(next === undefined ? { unset: ['due_at'] } : {}),
      },
    );
    return changed !== undefined;
  },
});
