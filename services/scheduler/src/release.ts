import type { Clock } from '@switchyard/base';
import type { Executions } from '@switchyard/executions';
import type { ExecutionRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import type { Metrics } from '@switchyard/telemetry';
import type { Capacity } from './capacity';
import type { Room } from './room';

export interface ReleaseDeps {
  store: Pick<Store, 'executions'>;
  executions: Pick<Executions, 'transition'>;
  capacity: Capacity;
  room: Room;
  clock: Clock;
  metrics: Pick<Metrics, 'time'>;
}

export interface Released {
  count: number;
  /** True when more waits than there was room for. */
  limited: boolean;
  /** Milliseconds until the next delayed execution comes up. */
  nextInMs?: number;
}

const BATCH = 100;

/**
 * Hands waiting executions of a pool to its runners, by priority and then time, as many as there are free slots and a
 * few more. The backlog stays in the store, so the work queue stays short and a late urgent request still overtakes.
 */
export async function releasePool(deps: ReleaseDeps, pool: string): Promise<Released> {
  const { store, capacity, room, clock } = deps;
  let count = 0;
  room.close(pool);
  for (;;) {
    const free = (await capacity.slots(pool)) - (await store.executions.countActive(pool));
    const now = clock.nowMicros();
    const wanted = Math.max(0, Math.min(free, BATCH));
    const batch = wanted === 0 ? [] : await store.executions.backlog(pool, now, wanted);
    const moved = await Promise.all(batch.map((record) => release(deps, record)));
    const released = moved.filter(Boolean).length;
    count += released;
    // When none could be moved, another scheduler is at the same ones, and will go on by itself.
    if (released > 0 && batch.length === wanted) continue;
    const limited = wanted === 0 && (await store.executions.backlog(pool, now, 1)).length > 0;
    if (!limited && released === batch.length) room.found(pool, free - released);
    // A round that has released something is followed by others, which look for the next delayed one.
    const next = count > 0 ? undefined : await store.executions.nextDue(pool, now);
    return { count, limited, ...(next === undefined ? {} : { nextInMs: Math.ceil((next - now) / 1000) }) };
  }
}

/** @returns false when somebody else has moved it */
export async function release(
  { executions, clock, metrics }: Pick<ReleaseDeps, 'executions' | 'clock' | 'metrics'>,
  record: Pick<ExecutionRecord, '_id' | 'pool'>,
): Promise<boolean> {
  const startMs = clock.monotonicMs();
  const moved = await executions.transition(record, 'scheduled', {
    from: ['requested', 'delayed'],
    due: ['action-runner'],
  });
  if (moved) metrics.time('scheduler.handle_execution', clock.monotonicMs() - startMs);
  return moved !== undefined;
}
