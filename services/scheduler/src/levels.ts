import { MS_MICROS, SECOND_MS, type Clock } from '@switchyard/base';
import { DEFAULT_POOL, WORKFLOW_POOL, type ExecutionRecords } from '@switchyard/executions';
import { createTask, type Task } from '@switchyard/host';
import { STATUSES, isTerminal } from '@switchyard/model';
import { isOneOf } from '@switchyard/storage';
import type { Metrics } from '@switchyard/telemetry';
import type { Capacity } from './capacity';

const LEVELS_MS = 10 * SECOND_MS;
/** The statuses whose counts go down again. */
const PASSING = STATUSES.filter((status) => !isTerminal(status));
/** Users choose the names of pools, so only this many without an action runner are measured. */
const MOST_UNSERVED = 100;

interface LevelsDeps {
  records: Pick<ExecutionRecords, 'count' | 'poolsInUse' | 'countWaiting' | 'waitingSince' | 'countActive'>;
  capacity: Pick<Capacity, 'pools'>;
  clock: Clock;
  metrics: Pick<Metrics, 'level'>;
  onError: (error: unknown) => void;
}

/** Measures how many executions the whole system has, by status and by pool. An idle system costs one count. */
export function createLevels(deps: LevelsDeps): Task {
  const { records, clock, metrics, onError } = deps;
  const served = new Set<string>([DEFAULT_POOL]);
  const unserved = new Set<string>();
  return createTask({
    clock,
    everyMs: LEVELS_MS,
    onError,
    async run() {
      // Counts index keys and reads no records.
      const all = await records.count({ status: isOneOf(PASSING) });
      for (const status of PASSING)
        metrics.level('executions.{status}', all === 0 ? 0 : await records.count({ status }), { status });
      for (const pool of await deps.capacity.pools()) served.add(pool);
      const used = all === 0 ? [] : await records.poolsInUse(MOST_UNSERVED);
      for (const pool of used) if (!served.has(pool) && unserved.size < MOST_UNSERVED) unserved.add(pool);
      for (const pool of new Set([...served, ...unserved])) await measurePool(deps, pool, all === 0);
    },
  });
}

/** Autoscalers of action runners read these levels. */
async function measurePool({ records, clock, metrics }: LevelsDeps, pool: string, isIdle: boolean): Promise<void> {
  const now = clock.nowMicros();
  const waiting = isIdle ? 0 : await records.countWaiting(pool, now);
  const since = waiting === 0 ? undefined : await records.waitingSince(pool, now);
  metrics.level('pools.{pool}.waiting', waiting, { pool });
  metrics.level('pools.{pool}.waiting.age', since === undefined ? 0 : (now - since) / (SECOND_MS * MS_MICROS), {
    pool,
  });
  // Workflows hold no slots.
  if (pool !== WORKFLOW_POOL)
    metrics.level('pools.{pool}.active', isIdle ? 0 : await records.countActive(pool), { pool });
}
