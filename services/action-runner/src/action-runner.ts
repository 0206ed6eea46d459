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
  type Service,
} from '@switchyard/host';
import type { Tokens } from '@switchyard/identity';
import {
  controlQueue,
  poolQueue,
  type Bus,
  type Consumer,
  type ExecutionStatusMessage,
  type PoolQueueName,
} from '@switchyard/messaging';
import type { Status } from '@switchyard/model';
import type { RunnerPlugin } from '@switchyard/runners';
import type { Store } from '@switchyard/storage';
import type { Logger, Metrics } from '@switchyard/telemetry';
import type { Dispatch } from '@switchyard/triggers';
import { onCanceling, onControl } from './control';
import type { RunSettings } from './prepare-run';
import { recoverExecutions } from './recovery';
import { createRunTable } from './run-table';
import { createSlots } from './slots';
import { createTakeUp } from './take-up';

export interface ActionRunnerDeps {
  config: Config;
  store: Store;
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

/** How long to wait for the store to record ended work. Other processes find the rest by the lease. */
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
  const { actions_pool_size: total, labels } = config.actionrunner;
  const { graceful_shutdown: graceful, exit_still_active_check: waitSeconds } = config.actionrunner;
  const { heartbeat_ms: heartbeatMs, lease_ms: leaseMs } = config.instances;
  const lease = createInstanceLease({
    instances: store.instances,
    clock,
    logger,
    service: 'action-runner',
    heartbeatMs,
    leaseMs,
    slots: total,
    pools: [DEFAULT_POOL, ...labels],
    // After a silence longer than the lease, others may have decided about these executions, so their work must stop.
    onLapse: () =>
      void table
        .dropLost()
        .catch((error: unknown) =>
          logger.error('Unable to tell which executions other processes have taken over.', { error: messageOf(error) }),
        ),
  });
  const { id: instance, host } = lease;
  const slots = createSlots(
    total,
    (delayMs, callback) => clock.after(delayMs, callback),
    (more) => metrics.shift('actionrunner.slots.used', more),
  );
  const table = createRunTable({ store, clock, slots, instance });
  const publisher = bus.publisher();
  const handled = (status: Status, startMs: number) =>
    metrics.time('action.executions.process.{status}', clock.monotonicMs() - startMs, { status });
  const takeUp = createTakeUp({
    ...deps,
    publisher,
    slots,
    table,
    instance,
    onTaken: (startMs) => handled('scheduled', startMs),
  });

  const observer = observeInstances(store.instances, clock, leaseMs);
  const control = { store, executions, observer, publisher, instance, runs: table.runs };
  const onCancel = async (message: ExecutionStatusMessage) => {
    const startMs = clock.monotonicMs();
    await onCanceling(control, message);
    handled('canceling', startMs);
  };
  const recover = () => recoverExecutions({ store, executions, observer, instance, host, logger });
  const recovery = createTask({
    clock,
    everyMs: heartbeatMs,
    run: recover,
    onError: (error) => logger.error('Recovery failed; retrying.', { error: messageOf(error) }),
  });

  const consumers: Consumer[] = [];
  const consumeWork = (queue: 'actionrunner.work' | PoolQueueName) =>
    bus.consume(queue, { prefetch: total, name: 'action-runner' }, takeUp.onScheduled);
  const closeRunners = () => Promise.all([...deps.runners.values()].map(async (runner) => runner.close?.()));
  const ended = deferred();

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
      consumers.push(
        await bus.consume(
          controlQueue(instance),
          { prefetch: CONTROL_PREFETCH, name: 'action-runner-control' },
          (message, delivery) => onControl(control, message, delivery),
        ),
        await bus.consume(
          'actionrunner.cancel',
          { prefetch: CONTROL_PREFETCH, name: 'action-runner-cancel' },
          onCancel,
        ),
        await consumeWork('actionrunner.work'),
      );
      for (const label of labels) consumers.push(await consumeWork(poolQueue(label)));
    },
    async stop() {
      const [own, cancels, ...work] = consumers;
      slots.close();
      await stopAll(work);
      if (graceful) await table.wait(waitSeconds * SECOND_MS);
      await table.abandon(ABANDON_MS);
      await stopAll([own, cancels, recovery, takeUp]);
      await closeRunners();
      await lease.stop();
    },
    async kill() {
      slots.close();
      dropAll([...consumers, recovery, takeUp]);
      await table.abandon(ABANDON_MS);
      await closeRunners();
      await lease.stop();
    },
    checks: () => ({ slots: `${slots.used} of ${total} in use` }),
  });
}
