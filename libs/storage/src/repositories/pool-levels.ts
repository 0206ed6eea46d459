import type { Micros } from '@switchyard/base';
import type { DueConsumer, ExecutionRecord } from '@switchyard/model';
import type { Collection } from '../collection';

/** How many executions of a pool wait or are under way, for schedulers and metrics. */
export interface PoolLevels {
  /**
   * The pools with executions that wait in the backlog, or that hold a slot: the first ones by name of each kind. Costs two look-ups per
   * pool, however many executions it has.
   */
  poolsInUse(most: number): Promise<string[]>;
  /** The number of executions that hold, or are about to hold, a slot of a pool. */
  countActive(pool: string): Promise<number>;
  /** Executions of a pool that were released since a point in time, and that their consumer has not begun. */
  countHandedOver(consumer: DueConsumer, pool: string, since: Micros): Promise<number>;
  /** How many executions of a pool are due and wait for a slot. The embedded store keeps such a count if it is large. */
  countWaiting(pool: string, now: Micros): Promise<number>;
  /** Since when the longest waiting one of them is due. Costs one look-up for each priority. */
  waitingSince(pool: string, now: Micros): Promise<Micros | undefined>;
}

export const poolLevels = (executions: Collection<ExecutionRecord>): PoolLevels => ({
  async poolsInUse(most) {
    const waiting = await names(most, async (after) => {
      const filter = { due: 'scheduler', pool: { $gt: after } } as const;
      return (await executions.list({ filter, sort: { pool: 1 }, limit: 1, fields: ['pool'] }))[0]?.pool;
    });
    const held = await names(most, async (after) => {
      const filter = { slot: { $gt: after } };
      return (await executions.list({ filter, sort: { slot: 1 }, limit: 1, fields: ['slot'] }))[0]?.slot;
    });
    return [...new Set([...waiting, ...held])];
  },
  countActive: (pool) => executions.count({ slot: pool }),
  countHandedOver: (consumer, pool, since) =>
    executions.count({ due: consumer, pool, status: 'scheduled', due_at: { $gt: since } }),
  async countWaiting(pool, now) {
    // Without the time, the filter is the same at the next count.
    const all = await executions.count({ due: 'scheduler', pool });
    if (all === 0) return 0;
    return all - (await executions.count({ due: 'scheduler', pool, delay: { $gt: 0 }, schedule_at: { $gt: now } }));
  },
  async waitingSince(pool, now) {
    let since: Micros | undefined;
    for (let below: number | undefined; ;) {
      const [first] = await executions.list({
        filter: {
          due: 'scheduler',
          pool,
          schedule_at: { $lte: now },
          ...(below === undefined ? {} : { priority: { $lt: below } }),
        },
        sort: { priority: -1, schedule_at: 1 },
        limit: 1,
        fields: ['priority', 'schedule_at'],
      });
      if (!first) return since;
      since = Math.min(since ?? first.schedule_at, first.schedule_at);
      below = first.priority;
    }
  },
});

/** Values in order, each found by the one before it. */
async function names(most: number, next: (after: string) => Promise<string | undefined>): Promise<string[]> {
  const found: string[] = [];
  while (found.length < most) {
    const name = await next(found.at(-1) ?? '');
    if (name === undefined) break;
    found.push(name);
  }
  return found;
}
