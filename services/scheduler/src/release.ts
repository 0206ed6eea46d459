import type { Clock } from '@switchyard/base';
import { goesBefore, type Executions } from '@switchyard/executions';
import type { ExecutionRecord } from '@switchyard/model';
import type { Metrics } from '@switchyard/telemetry';
import type { Capacity, OnTheWay, Room } from './capacity';
import type { Fairness } from './fairness/fairness';
import type { Gate } from './policies/gate';
import { releaseWaiting } from './release-waiting';

export interface ReleaseDeps {
  executions: Pick<Executions, 'records' | 'transition'>;
  capacity: Capacity;
  room: Room;
  onTheWay: OnTheWay;
  fairness: Fairness;
  gateOf(pool: string): Gate;
  clock: Clock;
  metrics: Pick<Metrics, 'time'>;
}

export interface Released {
  count: number;
  /** True when more executions wait than there was room for. */
  limited: boolean;
  /** Milliseconds until the next delayed execution is due. */
  nextInMs?: number;
}

const BATCH = 100;

/**
 * Releases waiting executions of a pool to its runners, by priority and then time: as many as there are free slots, and
 * a few more. If more wait, users and their workflows take turns (`Fairness`). The backlog stays in the store, so the
 * work queue stays short and a late urgent request can still overtake.
 */
export async function releasePool(deps: ReleaseDeps, pool: string): Promise<Released> {
  const { capacity, room, onTheWay, fairness, clock } = deps;
  const { records } = deps.executions;
  const gate = deps.gateOf(pool);
  let count = 0;
  room.close(pool);
  for (;;) {
    const { slots, ahead } = await capacity.of(pool);
    const free = slots + ahead - (await onTheWay.count(pool));
    const now = clock.nowMicros();
    // Executions of one round are published together, in no order. So those that start at once go before those that
    // are queued.
    const wanted = Math.max(0, Math.min(free > ahead ? free - ahead : free, BATCH));
    // One more than is wanted shows whether executions have to wait.
    const batch = wanted === 0 ? [] : await records.backlog(pool, now, (gate.crowded ? BATCH : wanted) + 1);
    const freed = wanted === 0 ? [] : await gate.freed(wanted);
    const chosen = await fairness.choose({ pool, known: inOrder(batch, freed), wanted, now });
    const { released, settled } = await releaseWaiting(deps, gate, chosen.records, wanted);
    chosen.settle(released);
    for (const id of released) onTheWay.note(pool, id);
    count += released.size;
    // When none could be moved, another scheduler is working on the same executions and will continue by itself.
    if (settled > 0 && batch.length + freed.length >= wanted) continue;
    const limited = wanted === 0 && (gate.hasOpen() || (await records.backlog(pool, now, 1)).length > 0);
    if (!limited && settled === batch.length + freed.length) room.found(pool, free - released.size);
    // A round that released something is followed by others, which find the next delayed execution.
    const next = count > 0 ? undefined : await records.nextDue(pool, now);
    return { count, limited, ...(next === undefined ? {} : { nextInMs: Math.ceil((next - now) / 1000) }) };
  }
}

const inOrder = (batch: readonly ExecutionRecord[], freed: readonly ExecutionRecord[]): readonly ExecutionRecord[] =>
  freed.length === 0 ? batch : [...batch, ...freed].sort((a, b) => (goesBefore(a, b) ? -1 : goesBefore(b, a) ? 1 : 0));
