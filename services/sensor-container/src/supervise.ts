import { constants } from 'node:os';
import {
  backoffMs,
  deferred,
  isFault,
  messageOf,
  MS_MICROS,
  SECOND_MS,
  type Backoff,
  type Clock,
} from '@switchyard/base';
import type { SensorExit, SensorTypeRecord, TriggerRecord } from '@switchyard/model';
import type { SensorStateRepository } from '@switchyard/storage';
import type { Logger, Metrics } from '@switchyard/telemetry';
import { confirmedOwner } from './ownership';
import type { SensorEnd } from './process/sensor-process';
import { startSensor, type SensorRun, type StartDeps } from './start-sensor';
import { createStateWriter } from './state-writer';

export interface SuperviseDeps extends StartDeps {
  readonly states: Pick<SensorStateRepository, 'change'>;
  readonly metrics: Pick<Metrics, 'count' | 'shift'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly instance: string;
  readonly host: string;
  readonly restart: Backoff;
  /** Silence after which others consider this container dead. */
  readonly leaseMs: number;
  /** Called for each start and each unexpected end. */
  announce(sensor: SensorTypeRecord, event: SensorEvent): void;
}

export type SensorEvent =
  | { readonly kind: 'spawn'; readonly pid: number; readonly command: string }
  | { readonly kind: 'exit'; readonly exitCode: number };

/** A sensor that this container owns, until it is given up. */
export interface SupervisedSensor {
  readonly sensor: SensorTypeRecord;
  /** Whether its process is running. */
  readonly isRunning: boolean;
  /** Settles, and never rejects, when it is given up; with the exit code of the last process that ended by itself. */
  readonly finished: Promise<number | undefined>;
  syncTriggers(triggers: readonly TriggerRecord[]): void;
  /** Checks in the store whether it is still ours, after a time in which others may have taken it. */
  confirm(): void;
  /** Ends the process and gives the sensor up. */
  stop(graceMs?: number): void;
}

/** A process that lived this long counts as healthy: its next failure is a first one. */
const HEALTHY_MS = 10 * SECOND_MS;

/**
 * Keeps a sensor running. A process that exits with 0 is done and is not restarted. After any other end, and after every
 * failure to start, it is restarted without limit, with growing delays.
 * @param once ends with the first process, whatever its end
 */
export function supervise(deps: SuperviseDeps, sensor: SensorTypeRecord, once = false): SupervisedSensor {
  const { clock, logger, instance } = deps;
  const { ref } = sensor;
  const stopAsked = deferred();
  let stopping = false;
  let run: SensorRun | undefined;
  let graceMs: number | undefined;
  const stop = (within?: number) => {
    stopping = true;
    if (within !== undefined) graceMs = within;
    stopAsked.resolve();
    run?.stop(graceMs);
  };
  const states = createStateWriter({
    states: deps.states,
    clock,
    logger,
    ref,
    instance,
    onLost() {
      logger.warn('Another container has taken over a sensor; stopping it here.', { sensor: ref });
      stop();
    },
  });

  const confirmOwner = confirmedOwner({ states: deps.states, clock, freshMs: deps.leaseMs / 2 }, ref, instance);

  /** Runs one process until it ends. @returns undefined when none could be started */
  async function runOnce(): Promise<SensorEnd | undefined> {
    try {
      run = await startSensor(deps, sensor, {
        mark: `${instance}:${ref}`,
        onReady: () => states.write({ set: { state: 'running' } }),
        confirmOwner,
      });
    } catch (error) {
      const reason = messageOf(error);
      logger.warn('Failed to start a sensor.', { sensor: ref, error: reason });
      states.write({ set: { state: isFault(error) ? 'blocked' : 'waiting', reason } });
      return undefined;
    }
    started(run);
    if (stopping) run.stop(graceMs);
    const end = await run.ended;
    deps.metrics.shift('sensorcontainer.sensors', -1);
    run = undefined;
    return end;
  }

  function started({ identity, command }: SensorRun): void {
    deps.metrics.shift('sensorcontainer.sensors', 1);
    if (!identity) return;
    const { pid, startTime: start_time, bootId: boot_id } = identity;
    states.write({
      set: { state: 'starting', started_at: clock.nowMicros(), process: { host: deps.host, pid, start_time, boot_id } },
      unset: ['reason', 'next_start_at'],
    });
    logger.info('Starting a sensor.', { sensor: ref, pid });
    deps.announce(sensor, { kind: 'spawn', pid, command });
  }

  function ended(end: SensorEnd): void {
    const last_exit = exitRecord(end, clock);
    const state = stopping ? 'stopped' : end.exitCode === 0 ? 'finished' : 'waiting';
    states.write({
      set: { last_exit, state },
      unset: ['process'],
      ...(state === 'waiting' ? { inc: { restarts: 1 } } : {}),
    });
    if (stopping) return;
    logger.warn('A sensor exited unexpectedly.', { sensor: ref, ...last_exit });
    deps.metrics.count('sensorcontainer.exits');
    deps.announce(sensor, { kind: 'exit', exitCode: exitNumber(end) });
  }

  /** Waits before the next start. @param attempt number of consecutive failures, from 1 */
  async function pause(attempt: number): Promise<void> {
    const delayMs = backoffMs(deps.restart, attempt);
    states.write({ set: { next_start_at: clock.nowMicros() + delayMs * MS_MICROS } });
    const waited = deferred();
    const cancel = clock.after(delayMs, () => waited.resolve());
    await Promise.race([waited.promise, stopAsked.promise]);
    cancel();
  }

  async function work(): Promise<number | undefined> {
    for (let attempt = 1; ; attempt++) {
      const startMs = clock.monotonicMs();
      const end = await runOnce();
      if (end) ended(end);
      if (stopping) return undefined;
      if (end && once) return exitNumber(end);
      if (end?.exitCode === 0) {
        // It stays ours, so that no other container starts it.
        await stopAsked.promise;
        return undefined;
      }
      if (end && clock.monotonicMs() - startMs >= HEALTHY_MS) attempt = 1;
      await pause(attempt);
      if (stopping) return undefined;
    }
  }

  const finished = work().then(async (code) => {
    await states.finish({
      set: { state: 'stopped' },
      unset: ['owner', 'process', 'next_start_at', 'reason'],
    });
    return code;
  });
  return {
    sensor,
    finished,
    get isRunning() {
      return run !== undefined;
    },
    syncTriggers: (triggers) => run?.syncTriggers(triggers),
    confirm: states.confirm,
    stop,
  };
}

/** The convention of shells and Python libraries: minus the number of the signal that ended a process. */
function exitNumber({ exitCode, signal }: SensorEnd): number {
  if (exitCode !== null) return exitCode;
  return signal === null ? -1 : -(constants.signals[signal] ?? 1);
}

function exitRecord({ exitCode, signal, reason }: SensorEnd, clock: Clock): SensorExit {
  return {
    exit_code: exitCode,
    signal,
    at: clock.nowMicros(),
    ...(reason === undefined ? {} : { reason: reason.slice(0, LONGEST_REASON) }),
  };
}

const LONGEST_REASON = 2000;
