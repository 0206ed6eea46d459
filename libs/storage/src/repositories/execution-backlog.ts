import type { Micros } from '@switchyard/base';
import type { ExecutionRecord, Share } from '@switchyard/model';
import type { Collection } from '../collection';

/** The queries of the scheduler about executions that wait: for a slot, for a time, or for room in a policy group. */
export interface ExecutionBacklog {
  /** Whether an execution waits in the backlog of any pool, for a slot or for its time. Takes one look-up. */
  anyWaiting(): Promise<boolean>;
  /** Waiting executions that are due, by priority, then time. */
  backlog(pool: string, now: Micros, limit: number): Promise<ExecutionRecord[]>;
  /** The first queue by name with waiting executions of a priority, after `after` and before `before`. Takes one
   * look-up. */
  nextShare(
    of: { pool: string; priority: number },
    range: { after: Share; before?: Share },
  ): Promise<{ share: Share; schedule_at: Micros } | undefined>;
  /** Due executions of one queue, by time. Without a queue: executions of earlier versions, which have none. */
  backlogOf(
    of: { pool: string; priority: number; share: Share | undefined },
    now: Micros,
    limit: number,
  ): Promise<ExecutionRecord[]>;
  /** The time of the next waiting execution of a pool that is not yet due. */
  nextDue(pool: string, now: Micros): Promise<Micros | undefined>;
  /** Makes a waiting execution without a delay due, if its time is in the future because another clock is ahead. */
  comeDue(id: string, now: Micros): Promise<void>;
  /** Executions of a pool that wait for a policy group, by priority, then time. */
  waitingOn(key: string, pool: string, limit: number): Promise<ExecutionRecord[]>;
  /** The policy groups with waiting executions. Costs one look-up per group, however many wait. */
  waitedOn(): Promise<string[]>;
  /** Returns executions to the backlog: one, or all that wait for a group. */
  stopWaiting(of: { id: string } | { key: string }, now: Micros): Promise<void>;
}

export const executionBacklog = (executions: Collection<ExecutionRecord>): ExecutionBacklog => ({
  anyWaiting: async () =>
    (await executions.list({ filter: { due: 'scheduler' }, limit: 1, fields: ['_id'] })).length > 0,
  backlog: (pool, now, limit) =>
    executions.list({
      filter: { due: 'scheduler', pool, schedule_at: { $lte: now } },
      sort: { priority: -1, schedule_at: 1 },
      limit,
    }),
  async nextShare({ pool, priority }, { after, before }) {
    const [next] = await executions.list({
      filter: { due: 'scheduler', pool, priority, share: { $gt: after, ...(before ? { $lt: before } : {}) } },
      sort: { share: 1, schedule_at: 1 },
      limit: 1,
      fields: ['share', 'schedule_at'],
    });
    return next?.share === undefined ? undefined : { share: next.share, schedule_at: next.schedule_at };
  },
  backlogOf: ({ pool, priority, share = null }, now, limit) =>
    executions.list({
      filter: { due: 'scheduler', pool, priority, share, schedule_at: { $lte: now } },
      sort: { share: 1, schedule_at: 1 },
      limit,
    }),
  async nextDue(pool, now) {
    const [next] = await executions.list({
      // Without a delay, an execution is due at once.
      filter: { due: 'scheduler', pool, delay: { $gt: 0 }, schedule_at: { $gt: now } },
      sort: { schedule_at: 1 },
      limit: 1,
      fields: ['schedule_at'],
    });
    return next?.schedule_at;
  },
  async comeDue(_id, now) {
    const filter = { _id, due: 'scheduler', delay: { $exists: false }, schedule_at: { $gt: now } } as const;
    await executions.change(filter, { set: { schedule_at: now, due_at: now } });
  },
  waitingOn: (key, pool, limit) =>
    executions.list({ filter: { waits_on: key, pool }, sort: { priority: -1, schedule_at: 1 }, limit }),
  async waitedOn() {
    const keys: string[] = [];
    for (;;) {
      const filter = { waits_on: { $gt: keys.at(-1) ?? '' } };
      const [next] = await executions.list({ filter, sort: { waits_on: 1 }, limit: 1, fields: ['waits_on'] });
      if (next?.waits_on === undefined) return keys;
      keys.push(next.waits_on);
    }
  },
  async stopWaiting(of, now) {
    const filter = 'id' in of ? { _id: of.id, waits_on: { $exists: true } } : { waits_on: of.key };
    await executions.changeAll(filter, {
      set: { due_at: now },
      push: { due: 'scheduler' },
      unset: ['waits_on', 'waiting_for'],
      inc: { revision: 1 },
    });
  },
});
