import { deferred, messageOf, MS_MICROS, SECOND_MS, type Clock } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import { DEFAULT_POOL, WORKFLOW_POOL, type Executions } from '@switchyard/executions';
import { createTask, observeInstances, type Service } from '@switchyard/host';
import {
  watchQueue,
  type Bus,
  type Consumer,
  type ExecutionChangeMessage,
  type ExecutionStatusMessage,
} from '@switchyard/messaging';
import { TERMINAL_STATUSES } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import type { Logger, Metrics } from '@switchyard/telemetry';
import { createCapacity } from './capacity';
import { createFairness } from './fairness/fairness';
import { measureLevels } from './measure-levels';
import { createOnTheWay } from './on-the-way';
import { createLimits } from './policies/limits';
import { releasePool } from './release';
import { releaseOne } from './release-one';
import { createRoom } from './room';
import { sweepOverdue } from './sweep';
import { markPoolUnserved, markUnserved } from './unserved';

export interface SchedulerDeps {
  config: Config;
  store: Store;
  bus: Bus;
  executions: Executions;
  clock: Clock;
  logger: Logger;
  metrics: Pick<Metrics, 'time' | 'level'>;
}

/** Without any message, the backlog is looked at this often. */
const IDLE_MS = 1000;
/** While workflows wait for the engines to begin with others, these are looked at this often. */
const ENGINES_MS = 20;
const LEVELS_MS = 10 * SECOND_MS;
const CHANGES_PREFETCH = 50;

/**
 * Gives waiting executions to the action runners. Any number of schedulers may run: each move is a compare-and-set.
 *
 * 1. A message that something was requested, or that a slot has become free, wakes the release; so do the time of the
 *    next delayed execution and a slow clock tick. Messages carry no decision. While nothing waits and slots are free,
 *    a request is handed out without a look at the backlog (`Room`).
 * 2. A request with a delay becomes `delayed` first.
 * 3. Executions that a policy limits are handed out by the release only, which sees them in order. See `Gate`.
 * 4. The sweep makes up for lost messages, of every consumer.
 */
export function createScheduler(deps: SchedulerDeps): Service {
  const { config, store, bus, executions, clock, logger, metrics } = deps;
  const observer = observeInstances(store.instances, clock, config.instances.lease_ms);
  const capacity = createCapacity(observer, clock);
  const room = createRoom();
  const onTheWay = createOnTheWay(store, clock);
  const fairness = createFairness({ config, store, clock });
  const limits = createLimits({ store, executions, clock });
  let served: readonly string[] = [];
  const ended = deferred();
  const consumers: Consumer[] = [];
  const onError = (error: unknown) => logger.error('The scheduler failed; it goes on.', { error: messageOf(error) });
  let limited = false;

  const release = createTask({ clock, everyMs: IDLE_MS, onError, run: releaseAll });
  const sweep = createTask({
    clock,
    everyMs: config.sweep.interval_ms,
    onError,
    run: async () => {
      await sweepOverdue({ store, executions, clock }, config.sweep.older_than_ms);
      await limits.sweep();
    },
  });
  const levels = createTask({ clock, everyMs: LEVELS_MS, onError, run: () => measureLevels(store, metrics) });

  async function releaseAll(): Promise<void> {
    limited = false;
    const pools = await capacity.pools();
    await limits.prepare(pools);
    for (const pool of pools) {
      const { limited: more, nextInMs } = await releasePool(
        { store, executions, capacity, room, onTheWay, fairness, gateOf: limits.gateOf, clock, metrics },
        pool,
      );
      limited ||= more;
      if (nextInMs !== undefined) release.wakeIn(nextInMs);
      // No message tells that an engine has begun with a workflow.
      if (more && pool === WORKFLOW_POOL) release.wakeIn(ENGINES_MS);
    }
    const opensInMs = limits.opensInMs();
    if (opensInMs !== undefined) release.wakeIn(opensInMs);
    const gone = served.filter((pool) => !pools.includes(pool));
    served = pools;
    for (const pool of gone) if (pool !== DEFAULT_POOL) await markPoolUnserved({ store, executions }, pool);
  }

  async function onRequested({
    id,
    ref,
    delayed,
    limited: isLimited,
    pool = DEFAULT_POOL,
    share,
  }: ExecutionStatusMessage): Promise<void> {
    fairness.heard(pool, share);
    if (delayed) await delay(id);
    else if (pool !== DEFAULT_POOL && !(await capacity.pools()).includes(pool)) await sayUnserved(id);
    else if (!(await limits.concern(ref, isLimited)) && room.take(pool)) return releaseAtOnce(id, pool);
    release.wake();
  }

  async function releaseAtOnce(id: string, pool: string): Promise<void> {
    if (await releaseOne({ executions, clock, metrics }, { _id: id, pool })) onTheWay.note(pool, id);
  }

  async function sayUnserved(id: string): Promise<void> {
    const record = await store.executions.get(id);
    if (record?.status === 'requested') await markUnserved({ executions }, record);
  }

  async function delay(id: string): Promise<void> {
    const record = await store.executions.get(id);
    if (record?.status !== 'requested' || record.schedule_at <= clock.nowMicros()) return;
    await executions.transition(record, 'delayed', { from: ['requested'], due: ['scheduler'] });
    release.wakeIn((record.schedule_at - clock.nowMicros()) / MS_MICROS);
  }

  return {
    name: 'scheduler',
    async start() {
      consumers.push(
        await bus.consume<ExecutionStatusMessage>(
          'actionrunner.req',
          { prefetch: config.scheduler.pool_size, name: 'scheduler' },
          onRequested,
        ),
        await bus.consume<ExecutionChangeMessage>(
          watchQueue(
            'execution',
            'scheduler',
            'update',
            'update.pending',
            ...TERMINAL_STATUSES.map((status) => `update.${status}`),
          ),
          { prefetch: CHANGES_PREFETCH, name: 'scheduler-slots' },
          async (message) => {
            if ((await limits.onChange(message)) || limited) release.wake();
          },
        ),
      );
      await sweepOverdue({ store, executions, clock }, 0);
      await limits.sweep();
      release.wake();
      sweep.wakeIn(config.sweep.interval_ms);
      levels.wake();
    },
    async stop() {
      await Promise.all(consumers.map((consumer) => consumer.stop()));
      await Promise.all([release.stop(), sweep.stop(), levels.stop()]);
      ended.resolve();
    },
    async kill() {
      for (const task of [...consumers, release, sweep, levels]) void task.stop();
      ended.resolve();
    },
    finished: ended.promise,
    health: () => ({ live: true, ready: bus.ready(), checks: { bus: bus.ready() ? 'ok' : 'not connected' } }),
  };
}
