import { MS_MICROS, type Clock, type Id } from '@switchyard/base';
import { DEFAULT_POOL, type Executions } from '@switchyard/executions';
import type { Task } from '@switchyard/host';
import type { ExecutionStatusMessage } from '@switchyard/messaging';
import type { Metrics } from '@switchyard/telemetry';
import type { Capacity, OnTheWay, Room } from './capacity';
import type { Fairness } from './fairness/fairness';
import type { PolicyLimits } from './policies/limits';
import { releaseOne } from './release-waiting';
import { markUnserved } from './release';

export interface RequestHandlingDeps {
  executions: Executions;
  clock: Clock;
  metrics: Pick<Metrics, 'time'>;
  capacity: Capacity;
  fairness: Fairness;
  limits: Pick<PolicyLimits, 'concern'>;
  room: Room;
  onTheWay: OnTheWay;
  /** Looks through the backlog. */
  release: Pick<Task, 'wake' | 'wakeIn'>;
}

/** Handles the message that an execution was requested: releases it at once if possible, or wakes the release task. */
export async function onRequested(deps: RequestHandlingDeps, message: ExecutionStatusMessage): Promise<void> {
  const { capacity, fairness, limits, room, release } = deps;
  const { id, ref, delayed, limited, pool = DEFAULT_POOL, share } = message;
  fairness.heard(pool, share);
  if (delayed) await delay(deps, id);
  else if (pool !== DEFAULT_POOL && !(await capacity.pools()).includes(pool)) await sayUnserved(deps, id);
  else if (!(await limits.concern(ref, limited)) && room.take(pool)) return releaseAtOnce(deps, id, pool);
  release.wake();
}

async function delay({ executions, clock, release }: RequestHandlingDeps, id: Id): Promise<void> {
  const record = await executions.records.get(id);
  if (record?.status !== 'requested' || record.schedule_at <= clock.nowMicros()) return;
  await executions.transition(record, 'delayed', { from: ['requested'], due: ['scheduler'] });
  release.wakeIn((record.schedule_at - clock.nowMicros()) / MS_MICROS);
}

async function sayUnserved({ executions }: RequestHandlingDeps, id: Id): Promise<void> {
  const record = await executions.records.get(id);
  if (record?.status === 'requested') await markUnserved({ executions }, record);
}

async function releaseAtOnce(deps: RequestHandlingDeps, id: Id, pool: string): Promise<void> {
  if (await releaseOne(deps, { _id: id, pool })) deps.onTheWay.note(pool, id);
}
