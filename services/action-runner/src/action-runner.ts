import { deferred, messageOf, SECOND_MS, type Clock } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import { DEFAULT_POOL, type ConfigFor, type Executions } from '@switchyard/executions';
import {
  createInstanceLease,
  createService,
  createTask,
  dropAll,
  observeInstances,
  stopAll,
  type InstanceLease,
  type Service,
} from '@switchyard/host';
import type { Tokens } from '@switchyard/identity';
import { controlQueue, poolQueue, type Bus, type Consumer, type PoolQueueName } from '@switchyard/messaging';
import type { Status } from '@switchyard/model';
import type { RunnerPlugin } from '@switchyard/runners';
import type { StoreWithoutExecutions } from '@switchyard/storage';
import type { Logger, Metrics } from '@switchyard/telemetry';
import type { Dispatch } from '@switchyard/triggers';
import { onCanceling, onControl, type RunnerControlDeps } from './control';
import type { RunSettings } from './prepare-run';
import { recoverExecutions } from './recovery';
import { startActionRun, type ClaimedExecution } from './run-execution';
import { createLocalRunner, createRunTable, createSlots, createStartCheck } from './run-table';
import { createTakeUp, type TakeUpDeps } from './take-up';

export interface ActionRunnerDeps {
  config: Config;
  store: StoreWithoutExecutions;
  bus: Bus;
  executions: Executions;
  tokens: Tokens;
  runners: ReadonlyMap<string, RunnerPlugin>;
  configFor: ConfigFor;
  dispatch: Dispatch;
  settings: RunSettings;
  clock: Clock;
  logger: Logger;
  metrics: Pick<Metrics, 'time' | 'shift'>;
}

/** How long to wait for the store to record ended work. Other processes find the rest when the lease has run out. */
const ABANDON_MS = 30 * SECOND_MS;
const CONTROL_PREFETCH = 20;

/**
 * Runs executions. Any number of these processes share the work.
 *
 * 1. A delivery is acknowledged once the claim is in the store, not after the run: a run may take hours.
 * 2. Every write after the claim names it, so a process that was considered dead and replaced writes nothing.
 * 3. Stopping waits for running work; work that is left after the waiting time is ended and abandoned.
 * 4. A delivery that finds no free slot waits for one. Reminders that the sweep sends meanwhile for the same execution
 *    are dropped. After a while the delivery is replaced by a new message, which another runner may get.
 */
export function createActionRunner(deps: ActionRunnerDeps): Service {
  const { config, store, bus, executions, clock, logger, metrics } = deps;
  const { actions_pool_size: total, graceful_shutdown: graceful } = config.actionrunner;
  const { heartbeat_ms: heartbeatMs, lease_ms: leaseMs } = config.instances;
  const ended = deferred();
  const lease = runnerLease(deps, () => table.dropLost());
  const { id: instance, host } = lease;
  const slots = createSlots(total, clock, (more) => metrics.shift('actionrunner.slots.used', more));
  const publisher = bus.publisher();
  const runDeps = { ...deps, publisher, mayStart: createStartCheck(lease, executions.records) };
  const startRun = (execution: ClaimedExecution) => startActionRun(runDeps, execution);
  const table = createRunTable({ records: executions.records, clock, slots, startRun });
  const observer = observeInstances(store.instances, lease.renewals, leaseMs);
  const intake = createIntake(deps, { slots, table, instance, observer, publisher });
  const recover = () => recoverExecutions({ store, executions, observer, instance, host, logger });
  const recovery = createTask({
    clock,
    everyMs: heartbeatMs,
    run: recover,
    onError: (error) => logger.error('Recovery failed; retrying.', { error: messageOf(error) }),
  });

  let waitsForWork = graceful;
  async function leave(): Promise<void> {
    await Promise.all([...deps.runners.values()].map(async (runner) => runner.close?.()));
    await lease.stop();
  }

  return createService({
    name: 'action-runner',
    bus,
    ended,
    async start() {
      await lease.start();
      await recover();
      recovery.wakeIn(heartbeatMs);
      metrics.shift('actionrunner.slots.total', total);
      void ended.promise.then(() => metrics.shift('actionrunner.slots.total', -total));
      await intake.start(instance);
    },
    async stop() {
      slots.close();
      await intake.stopWork();
      if (graceful) await table.wait(config.actionrunner.exit_still_active_check * SECOND_MS);
      waitsForWork = false;
      await table.abandon(ABANDON_MS);
      await stopAll([intake, recovery]);
      await leave();
    },
    async kill() {
      slots.close();
      dropAll([intake, recovery]);
      await table.abandon(ABANDON_MS);
      await leave();
    },
    isFinishingWork: () => waitsForWork && [...table.runs.values()].some((run) => run.isWorking()),
    checks: () => ({ slots: `${slots.used} of ${total} in use` }),
  });
}

/** @param onLapse after a silence longer than the lease: others may have taken over the executions of this runner, so
 * their work must stop */
function runnerLease({ config, store, clock, logger }: ActionRunnerDeps, onLapse: () => Promise<void>): InstanceLease {
  const failed = (error: unknown) =>
    logger.error('Could not find out which executions other processes have taken over.', { error: messageOf(error) });
  return createInstanceLease({
    instances: store.instances,
    clock,
    logger,
    service: 'action-runner',
    heartbeatMs: config.instances.heartbeat_ms,
    leaseMs: config.instances.lease_ms,
    slots: config.actionrunner.actions_pool_size,
    pools: poolsOf(config),
    onLapse: () => void onLapse().catch(failed),
  });
}

/** Consumes the queues of the runner: executions to run, and requests about running ones, which end last. */
function createIntake(deps: ActionRunnerDeps, own: Own) {
  const { bus, clock, metrics } = deps;
  const total = deps.config.actionrunner.actions_pool_size;
  const { executions } = deps;
  const pools = poolsOf(deps.config);
  const work: { stop(): Promise<void> }[] = [];
  const requests: Consumer[] = [];
  const handled = (status: Status, startMs: number) =>
    metrics.time('action.executions.process.{status}', clock.monotonicMs() - startMs, { status });
  const onTaken = (startMs: number) => handled('scheduled', startMs);
  const takeUp = createTakeUp({ ...deps, ...own, onTaken });
  const localRunner = createLocalRunner({ ...own, clock, pools, onTaken, findOut: takeUp.findOut });
  const control = { ...own, executions, runs: own.table.runs };
  return {
    async start(instance: string) {
      const ofName = (name: string) => ({ prefetch: CONTROL_PREFETCH, name });
      requests.push(
        await bus.consume(controlQueue(instance), ofName('action-runner-control'), (message, delivery) =>
          onControl(control, message, delivery),
        ),
        await bus.consume('actionrunner.cancel', ofName('action-runner-cancel'), async (message) => {
          const startMs = clock.monotonicMs();
          await onCanceling(control, message);
          handled('canceling', startMs);
        }),
      );
      for (const pool of pools)
        work.push(await bus.consume(queueOf(pool), { prefetch: total, name: 'action-runner' }, takeUp.onScheduled));
      const withdraw = executions.offerRunner(localRunner);
      work.push({ stop: () => Promise.resolve(withdraw()) });
    },
    stopWork: () => stopAll(work),
    stop: () => stopAll([...requests, ...work, takeUp]),
  };
}

const poolsOf = ({ actionrunner: { default_pool: hasDefault, labels } }: Config): string[] => [
  ...new Set([...(hasDefault ? [DEFAULT_POOL] : []), ...labels]),
];

const queueOf = (pool: string): 'actionrunner.work' | PoolQueueName =>
  pool === DEFAULT_POOL ? 'actionrunner.work' : poolQueue(pool);

/** What a runner process has of its own. */
type Own = Pick<TakeUpDeps, 'slots' | 'table' | 'instance'> & Pick<RunnerControlDeps, 'observer' | 'publisher'>;
