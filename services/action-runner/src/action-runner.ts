import { deferred, messageOf, SECOND_MS, type Clock } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import { DEFAULT_POOL, type ConfigFor, type Executions } from '@switchyard/executions';
import { createInstanceLease, createTask, observeInstances, type Service } from '@switchyard/host';
import type { Tokens } from '@switchyard/identity';
import {
  controlQueue,
  poolQueue,
  type Bus,
  type Consumer,
  type Delivery,
  type ExecutionStatusMessage,
  type QueueName,
  type RunnerControlMessage,
} from '@switchyard/messaging';
import type { Status } from '@switchyard/model';
import type { RunnerPlugin } from '@switchyard/runners';
import type { Store } from '@switchyard/storage';
import type { Logger, Metrics } from '@switchyard/telemetry';
import type { Dispatch } from '@switchyard/triggers';
import { claimExecution } from './claim';
import { onCanceling, onControl } from './control';
import type { RunSettings } from './prepare-run';
import { recover } from './recovery';
import { startRun, type Run } from './run-execution';
import { createSlots } from './slots';
import { createUnsureClaims } from './unsure-claims';

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

/** How long ended work may take until the store knows of it. What it does not learn, others find by the lease. */
const ABANDON_MS = 30 * SECOND_MS;
/** How long a delivery may wait for a slot before another runner gets its chance. */
const SLOT_WAIT_MS = SECOND_MS;
const CONTROL_PREFETCH = 20;

/**
 * Runs executions. Any number of these processes share the work.
 *
 * 1. A delivery is acknowledged after the claim is in the store, not after the run: a run may take hours.
 * 2. Every write after the claim names it, so a process that was taken for dead and replaced writes nothing.
 * 3. Stopping waits for what runs; what is left after the waiting time is ended and abandoned.
 * 4. A delivery that finds no free slot waits for one. What the sweep sends meanwhile for the same execution is dropped, and
 *    after a while the delivery makes room for a new message, which another runner may get.
 */
export function createActionRunner(deps: ActionRunnerDeps): Service {
  const { config, store, bus, executions, clock, logger, metrics } = deps;
  const { actions_pool_size: total, labels } = config.actionrunner;
  const { graceful_shutdown: graceful, exit_still_active_check: waitSeconds } = config.actionrunner;
  const pools = [DEFAULT_POOL, ...labels];
  const slots = createSlots(
    total,
    (delayMs, callback) => clock.after(delayMs, callback),
    (more) => metrics.shift('actionrunner.slots.used', more),
  );
  const running = { ...deps, publisher: bus.publisher() };
  const runs = new Map<string, Run>();
  /** Executions that wait for a slot here, or are being claimed. */
  const waiting = new Set<string>();
  const consumers: Consumer[] = [];
  const ended = deferred();
  const { heartbeat_ms: heartbeatMs, lease_ms: leaseMs } = config.instances;
  const lease = createInstanceLease({
    instances: store.instances,
    clock,
    logger,
    service: 'action-runner',
    heartbeatMs,
    leaseMs,
    slots: total,
    pools,
    onLapse: () =>
      void dropLostRuns().catch((error: unknown) =>
        logger.error('It is not known which executions others have taken over.', { error: messageOf(error) }),
      ),
  });
  const observer = observeInstances(store.instances, clock, leaseMs);
  const control = { store, executions, observer, publisher: running.publisher, instance: lease.id, runs };
  const recovering = { store, executions, observer, instance: lease.id, host: lease.host, logger };
  const recovery = createTask({
    clock,
    everyMs: heartbeatMs,
    run: () => recover(recovering),
    onError: (error) => logger.error('Recovery failed; it is tried again.', { error: messageOf(error) }),
  });

  const unsure = createUnsureClaims({
    store,
    clock,
    instance: lease.id,
    isRunning: (id) => runs.has(id),
    isBeingTaken: (id) => waiting.has(id),
    async adopt(execution) {
      if (!(await slots.take(SLOT_WAIT_MS))) throw new Error('There is no free slot.');
      track(startRun(running, execution));
    },
    onError: (error) => logger.warn('It is not known whether a claim has counted.', { error: messageOf(error) }),
  });

  async function onScheduled({ id, revision }: ExecutionStatusMessage, delivery: Delivery): Promise<void> {
    if (waiting.has(id)) return;
    waiting.add(id);
    try {
      await takeUp(id, revision, delivery);
    } finally {
      waiting.delete(id);
    }
  }

  async function takeUp(id: string, revision: number, delivery: Delivery): Promise<void> {
    if (!(await slots.take(SLOT_WAIT_MS))) return passOn(id);
    const startMs = clock.monotonicMs();
    try {
      const execution = await claimExecution({ store, executions, instance: lease.id }, id, revision);
      delivery.ack();
      if (execution) {
        handled('scheduled', startMs);
        return track(startRun(running, execution));
      }
    } catch (error) {
      slots.give();
      unsure.add(id);
      throw error;
    }
    slots.give();
  }

  async function onCancel(message: ExecutionStatusMessage): Promise<void> {
    const startMs = clock.monotonicMs();
    await onCanceling(control, message);
    handled('canceling', startMs);
  }

  const handled = (status: Status, startMs: number) =>
    metrics.time('action.executions.process.{status}', clock.monotonicMs() - startMs, { status });

  /** A new message instead of this delivery returned: one that came back often would be set aside by the broker. */
  async function passOn(id: string): Promise<void> {
    const record = await store.executions.get(id);
    if (record?.status === 'scheduled') executions.announce.remind(record);
  }

  function track(run: Run): void {
    const { _id } = run.execution;
    // Whoever took it from us has given up; its work, if there is any left, is not the execution's any more.
    runs.get(_id)?.stop('abandoned');
    runs.set(_id, run);
    void run.finished.then(() => {
      if (runs.get(_id) === run) runs.delete(_id);
      slots.give();
    });
  }

  /** After a silence longer than the lease, others may have decided about our executions: their work must not go on. */
  async function dropLostRuns(): Promise<void> {
    for (const run of [...runs.values()]) {
      const { _id, claim } = run.execution;
      const now = (await store.executions.get(_id))?.claim;
      if (now?.instance !== lease.id || now.number !== claim.number) run.stop('abandoned');
    }
  }

  async function waitForRuns(mostMs: number): Promise<void> {
    const all = Promise.all([...runs.values()].map(({ finished }) => finished));
    const late = deferred();
    const stopTimer = clock.after(mostMs, () => late.resolve());
    await Promise.race([all, late.promise]);
    stopTimer();
  }

  async function abandonRuns(): Promise<void> {
    for (const run of runs.values()) run.stop('abandoned');
    await waitForRuns(ABANDON_MS);
  }

  async function closeRunners(): Promise<void> {
    await Promise.all([...deps.runners.values()].map(async (runner) => runner.close?.()));
  }

  const consumeWork = (queue: QueueName) =>
    bus.consume<ExecutionStatusMessage>(queue, { prefetch: total, name: 'action-runner' }, onScheduled);

  return {
    name: 'action-runner',
    async start() {
      await lease.start();
      await recover(recovering);
      recovery.wakeIn(heartbeatMs);
      metrics.shift('actionrunner.slots.total', total);
      void ended.promise.then(() => metrics.shift('actionrunner.slots.total', -total));
      consumers.push(
        await bus.consume<RunnerControlMessage>(
          controlQueue(lease.id),
          { prefetch: CONTROL_PREFETCH, name: 'action-runner-control' },
          (message, delivery) => onControl(control, message, delivery),
        ),
        await bus.consume<ExecutionStatusMessage>(
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
      await Promise.all(work.map((consumer) => consumer.stop()));
      if (graceful) await waitForRuns(waitSeconds * SECOND_MS);
      await abandonRuns();
      await Promise.all([own?.stop(), cancels?.stop(), recovery.stop(), unsure.stop()]);
      await closeRunners();
      await lease.stop();
      ended.resolve();
    },
    async kill() {
      slots.close();
      for (const part of [...consumers, recovery, unsure]) void part.stop();
      await abandonRuns();
      await closeRunners();
      await lease.stop();
      ended.resolve();
    },
    finished: ended.promise,
    health: () => ({
      live: true,
      ready: bus.ready(),
      checks: { bus: bus.ready() ? 'ok' : 'not connected', slots: `${slots.used} of ${total} in use` },
    }),
  };
}
