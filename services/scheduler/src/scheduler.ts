import { messageOf, newId, timeOfId, type Clock, MS_MICROS, type Id } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import { type Executions, type WaitingExecution, DEFAULT_POOL } from '@switchyard/executions';
import { createService, createTask, dropAll, observeInstances, stopAll, type Service } from '@switchyard/host';
import {
  DUE_FOR_ENGINE,
  watchQueue,
  type Bus,
  type Consumer,
  type ExecutionStatusMessage,
} from '@switchyard/messaging';
import { TERMINAL_STATUSES } from '@switchyard/model';
import type { StoreWithoutExecutions } from '@switchyard/storage';
import type { Logger, Metrics } from '@switchyard/telemetry';
import { createCancelingTrees } from './canceling-trees';
import {
  createCapacity,
  createDueTimes,
  createLending,
  createOnTheWay,
  createRoom,
  type Capacity,
  type DueTimes,
  type Lending,
  type OnTheWay,
  type Room,
} from './capacity';
import { createFairness, type Fairness } from './fairness/fairness';
import { createLimits, type PolicyLimits } from './policies/limits';
import { createLevels } from './levels';
import { createReleaseTask, markUnserved, type ReleaseTask } from './release';
import { createReleaseAttempts, type ReleaseAttempts } from './release-attempts';
import { releaseToSlot } from './release-waiting';
import { sweepOverdue } from './sweep';

export interface SchedulerDeps {
  config: Config;
  store: StoreWithoutExecutions;
  bus: Bus;
  executions: Executions;
  clock: Clock;
  logger: Logger;
  metrics: Pick<Metrics, 'time' | 'level'>;
}

const CHANGES_PREFETCH = 50;
/** The changes that may make room: requests and ends. */
const CHANGE_KEYS = [
  'update',
  DUE_FOR_ENGINE,
  'update.pending',
  ...TERMINAL_STATUSES.map((status) => `update.${status}`),
];

/**
 * Releases waiting executions to the action runners. Any number of schedulers may run: each move is a compare-and-set.
 *
 * 1. A message about a new request or a free slot wakes the release task; so do the time of the next delayed execution
 *    and a slow timer. Messages carry no decision. While nothing waits and slots are free, a request is released without
 *    a look at the backlog (`Room`).
 * 2. A request with a delay becomes `delayed` first.
 * 3. Only the release task releases executions that a policy limits, because it sees them in order. See `Gate`.
 * 4. The release task looks at one pool after the other, and at none for longer than a turn.
 * 5. The sweep replaces lost messages of every consumer: those of the last seconds too at the start and after a lost
 *    connection to the broker.
 */
export function createScheduler(deps: SchedulerDeps): Service {
  const { config, bus, executions, clock, logger, metrics } = deps;
  const consumers: Consumer[] = [];
  const onError = (error: unknown) => logger.error('The scheduler failed; continuing.', { error: messageOf(error) });
  const shared = createShared(deps);
  const { capacity, limits } = shared;
  const cancelingTrees = createCancelingTrees(executions.records, clock);
  const release = createReleaseTask({ ...shared, cancelingTrees, onError });
  const sweepAll = async (olderThanMs: number) => {
    await sweepOverdue({ executions, clock }, olderThanMs);
    await limits.sweep();
  };
  const sweep = createTask({
    clock,
    everyMs: config.sweep.interval_ms,
    onError,
    run: () => sweepAll(config.sweep.older_than_ms),
  });
  const catchUp = createTask({ clock, onError, run: () => sweepAll(0) });
  const levels = createLevels({ records: executions.records, capacity, clock, metrics, onError });
  const tasks = [release, sweep, catchUp, levels];

  return createService({
    name: 'scheduler',
    bus,
    async start() {
      consumers.push(
        await bus.consume('actionrunner.req', { prefetch: config.scheduler.pool_size, name: 'scheduler' }, (message) =>
          onRequested({ ...shared, release }, message),
        ),
        await bus.consume(
          watchQueue('execution', 'scheduler', ...CHANGE_KEYS),
          { prefetch: CHANGES_PREFETCH, name: 'scheduler-slots' },
          async (message) => {
            release.note();
            if (await limits.onChange(message)) release.wake();
            else release.madeRoom();
          },
        ),
      );
      bus.onReconnect(catchUp.wake);
      await sweepAll(0);
      release.wake();
      sweep.wakeIn(config.sweep.interval_ms);
      levels.wake();
    },
    async stop() {
      await stopAll(consumers);
      await stopAll(tasks);
    },
    kill: () => dropAll([...consumers, ...tasks]),
  });
}

/** What the handling of requests and the looks at the backlog share. */
function createShared({ config, store, bus, executions, clock, logger, metrics }: SchedulerDeps) {
  const observer = observeInstances(store.instances, clock, config.instances.lease_ms);
  const room = createRoom();
  return {
    ...{ executions, clock, metrics, room, scheduler: newId() },
    capacity: createCapacity(observer, clock),
    lending: createLending({ room, publisher: bus.publisher(), clock, logger }),
    onTheWay: createOnTheWay(executions.records, clock),
    dueTimes: createDueTimes(executions.records, clock),
    attempts: createReleaseAttempts(clock),
    fairness: createFairness({ config, records: executions.records, clock }),
    limits: createLimits({ store, executions, clock }),
  };
}

interface RequestHandlingDeps {
  /** Id of this scheduler. */
  scheduler: string;
  executions: Executions;
  clock: Clock;
  metrics: Pick<Metrics, 'time'>;
  capacity: Capacity;
  fairness: Fairness;
  limits: Pick<PolicyLimits, 'concern'>;
  room: Room;
  lending: Pick<Lending, 'note' | 'lend'>;
  onTheWay: OnTheWay;
  dueTimes: Pick<DueTimes, 'forget'>;
  attempts: Pick<ReleaseAttempts, 'onArrival'>;
  /** Looks through the backlog. */
  release: Pick<ReleaseTask, 'wakeSoon' | 'wakeIn' | 'note'>;
}

/** Handles the message that an execution was requested: releases it at once if possible, or wakes the release task. */
async function onRequested(deps: RequestHandlingDeps, message: ExecutionStatusMessage): Promise<void> {
  const { executions, clock, capacity, fairness, limits, room, lending, release } = deps;
  const { id, ref, revision, delayed, limited, pool = DEFAULT_POOL, share } = message;
  const { permits_for: requester, permits_left: left } = message;
  if (requester !== undefined) lending.note(pool, requester, left ?? 0);
  release.note();
  // It had a permit, so it does not wait.
  if (left !== undefined) return release.wakeSoon(pool);
  fairness.heard(pool, share);
  if (delayed) await delay(deps, id);
  else if (pool !== DEFAULT_POOL && !(await capacity.pools()).includes(pool)) await sayUnserved(deps, id);
  else if (!(await limits.concern(ref, limited)) && room.take(pool)) {
    lending.lend(pool);
    return releaseAtOnce(deps, { _id: id, pool, revision, ...(limited ? { limited } : {}) });
  }
  // A clock that is ahead must not make it wait until this one has caught up.
  if (!delayed && timeOfId(id) * MS_MICROS > clock.nowMicros()) await executions.records.comeDue(id, clock.nowMicros());
  release.wakeSoon(pool);
}

async function delay({ executions, clock, dueTimes, release }: RequestHandlingDeps, id: Id): Promise<void> {
  const record = await executions.records.get(id);
  if (record?.status !== 'requested' || record.schedule_at <= clock.nowMicros()) return;
  await executions.transition(record, 'delayed', { from: ['requested'], due: ['scheduler'] });
  dueTimes.forget();
  release.wakeIn((record.schedule_at - clock.nowMicros()) / MS_MICROS);
}

async function sayUnserved({ executions }: RequestHandlingDeps, id: Id): Promise<void> {
  const record = await executions.records.get(id);
  if (record?.status === 'requested') await markUnserved({ executions }, record);
}

const releaseAtOnce = (deps: RequestHandlingDeps, waiting: WaitingExecution): Promise<void> =>
  deps.attempts.onArrival(waiting, async () => {
    if (await releaseToSlot(deps, waiting)) deps.onTheWay.note(waiting.pool);
  });
