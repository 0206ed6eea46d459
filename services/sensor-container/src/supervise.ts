import { backoffMs, deferred, SECOND_MS, type Backoff, type Clock } from '@switchyard/base';
import type { SensorTypeRecord, TriggerRecord } from '@switchyard/model';
import type { SensorStateRepository } from '@switchyard/storage';
import { confirmedOwner } from './ownership';
import type { SensorEnd } from './process/sensor-process';
import { createSensorLog, type SensorLogDeps } from './sensor-log';
import { createSensorReports, exitNumber, type ReportDeps } from './sensor-reports';
import { startSensor, type SensorRun, type StartDeps } from './start-sensor';
import { createStateWriter, type StateWriter } from './state-writer';

export interface SuperviseDeps extends StartDeps, ReportDeps {
  readonly states: Pick<SensorStateRepository, 'change'>;
  readonly logs: SensorLogDeps['logs'];
  readonly instance: string;
  readonly restart: Backoff;
  /** Silence after which others consider this container dead. */
  readonly leaseMs: number;
}

/** A sensor that this container owns, until it is released. */
export interface SupervisedSensor {
  readonly sensor: SensorTypeRecord;
  /** Whether its process is running. */
  readonly isRunning: boolean;
  /** Settles, and never rejects, when it is released; with the exit code of the last process that ended by itself. */
  readonly finished: Promise<number | undefined>;
  syncTriggers(triggers: readonly TriggerRecord[]): void;
  /** Checks in the store whether this container still owns it, after a time in which others may have taken it. */
  confirm(): void;
  /** Ends the process and releases the sensor. */
  stop(graceMs?: number): void;
}

/** A process that ran for this long counts as healthy, so its next failure is the first one again. */
const HEALTHY_MS = 10 * SECOND_MS;

/**
 * Keeps a sensor running. A process that exits with 0 is done and is not restarted. After any other end, and after every
 * failure to start, it is restarted without limit, with growing delays.
 * @param once ends with the first process, whatever its end
 */
export function supervise(deps: SuperviseDeps, sensor: SensorTypeRecord, once = false): SupervisedSensor {
  const { clock, logger, instance } = deps;
  const { ref } = sensor;
  const current = new StoppableRun();
  const states = statesOf(deps, ref, current);
  const log = createSensorLog({ logs: deps.logs, clock, logger, ref });
  const report = createSensorReports({ ...deps, log }, sensor, states.write);
  const confirmOwner = confirmedOwner({ states: deps.states, clock, freshMs: deps.leaseMs / 2 }, ref, instance);

  /** Runs one process until it ends. @returns undefined when none could be started */
  async function runOnce(): Promise<SensorEnd | undefined> {
    const options = { mark: `${instance}:${ref}`, onReady: report.ready, confirmOwner, log };
    const run = await startSensor(deps, sensor, options).catch(report.failedToStart);
    if (!run) return undefined;
    report.started(run);
    const end = await current.untilEnd(run);
    report.ended(end, current.isStopping);
    return end;
  }

  /** Waits before the next start. @param attempt number of consecutive failures, from 1 */
  function stopsWhilePausing(attempt: number): Promise<boolean> {
    const delayMs = backoffMs(deps.restart, attempt);
    report.restartsIn(delayMs);
    return current.stopsWithin(delayMs, clock);
  }

  async function work(): Promise<number | undefined> {
    for (let attempt = 1; ; attempt++) {
      const startMs = clock.monotonicMs();
      const end = await runOnce();
      if (current.isStopping) return undefined;
      if (end && once) return exitNumber(end);
      // This container keeps a finished sensor, so that no other container starts it.
      if (end?.exitCode === 0) return current.stopRequested.then(() => undefined);
      if (end && clock.monotonicMs() - startMs >= HEALTHY_MS) attempt = 1;
      if (await stopsWhilePausing(attempt)) return undefined;
    }
  }

  async function workToTheEnd(): Promise<number | undefined> {
    try {
      return await work();
    } finally {
      await log.finish();
      await states.finish({ set: { state: 'stopped' }, unset: GIVEN_UP });
    }
  }

  return {
    sensor,
    finished: workToTheEnd(),
    get isRunning() {
      return current.isRunning;
    },
    syncTriggers: current.syncTriggers,
    confirm: states.confirm,
    stop: current.stop,
  };
}

/** Writes the state of a sensor, and stops it once another container owns it. */
function statesOf({ states, clock, logger, instance }: SuperviseDeps, ref: string, run: StoppableRun): StateWriter {
  return createStateWriter({
    ...{ states, clock, logger, ref, instance },
    onLost() {
      logger.warn('Another container has taken over a sensor; stopping it here.', { sensor: ref });
      run.stop();
    },
  });
}

/** The fields of a sensor's state that end with its ownership. */
const GIVEN_UP = ['owner', 'process', 'next_start_at', 'reason'] as const;

/** The process of a sensor, while one runs, and the request to stop it. */
class StoppableRun {
  isStopping = false;
  readonly #stop = deferred();
  #run: SensorRun | undefined;
  #graceMs: number | undefined;

  readonly stopRequested = this.#stop.promise;

  get isRunning(): boolean {
    return this.#run !== undefined;
  }

  /** Waits for the end of a process. A stop that was requested while it started ends it at once. */
  async untilEnd(run: SensorRun): Promise<SensorEnd> {
    this.#run = run;
    if (this.isStopping) run.stop(this.#graceMs);
    const end = await run.ended;
    this.#run = undefined;
    return end;
  }

  /** Waits up to the given time for the request to stop. @returns whether the request arrived */
  async stopsWithin(mostMs: number, clock: Pick<Clock, 'after'>): Promise<boolean> {
    const waited = deferred();
    const cancel = clock.after(mostMs, () => waited.resolve());
    await Promise.race([waited.promise, this.stopRequested]);
    cancel();
    return this.isStopping;
  }

  stop = (graceMs?: number): void => {
    this.isStopping = true;
    if (graceMs !== undefined) this.#graceMs = graceMs;
    this.#stop.resolve();
    this.#run?.stop(this.#graceMs);
  };

  syncTriggers = (triggers: readonly TriggerRecord[]): void => this.#run?.syncTriggers(triggers);
}
