import { constants } from 'node:os';
import { isFault, messageOf, MS_MICROS, type Clock } from '@switchyard/base';
import type { SensorExit, SensorTypeRecord } from '@switchyard/model';
import type { Logger, Metrics } from '@switchyard/telemetry';
import type { SensorEnd } from './process/sensor-process';
import type { SensorLogWriter } from './sensor-log';
import type { SensorRun } from './start-sensor';
import type { StateWriter } from './state-writer';

export interface ReportDeps {
  readonly metrics: Pick<Metrics, 'count' | 'shift'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly host: string;
  /** Called for each start and each unexpected end. */
  announce(sensor: SensorTypeRecord, event: SensorEvent): void;
}

export type SensorEvent =
  | { readonly kind: 'spawn'; readonly pid: number; readonly command: string }
  | { readonly kind: 'exit'; readonly exitCode: number };

/** Reports what happens to the processes of one sensor: in its stored state, in the log, in metrics and as triggers. */
export interface SensorReports {
  failedToStart(error: unknown): undefined;
  started(run: SensorRun): void;
  ready(): void;
  /** @param asked whether the end of the process was requested */
  ended(end: SensorEnd, asked: boolean): void;
  restartsIn(delayMs: number): void;
}

export function createSensorReports(
  { metrics, clock, logger, host, announce, log }: ReportDeps & { readonly log: Pick<SensorLogWriter, 'add'> },
  sensor: SensorTypeRecord,
  write: StateWriter['write'],
): SensorReports {
  const { ref } = sensor;
  const note = (text: string) => log.add({ source: 'container', text });
  return {
    failedToStart(error) {
      const reason = messageOf(error);
      note(`Failed to start: ${reason}`);
      logger.warn('Failed to start a sensor.', { sensor: ref, error: reason });
      write({ set: { state: isFault(error) ? 'blocked' : 'waiting', reason } });
    },
    started({ identity, command }) {
      metrics.shift('sensorcontainer.sensors', 1);
      if (!identity) return;
      const { pid, startTime: start_time, bootId: boot_id } = identity;
      write({
        set: { state: 'starting', started_at: clock.nowMicros(), process: { host, pid, start_time, boot_id } },
        unset: ['reason', 'next_start_at'],
      });
      logger.info('Starting a sensor.', { sensor: ref, pid });
      note(`Started process ${pid} on ${host}.`);
      announce(sensor, { kind: 'spawn', pid, command });
    },
    ready: () => write({ set: { state: 'running' } }),
    ended(end, asked) {
      metrics.shift('sensorcontainer.sensors', -1);
      const last_exit = exitRecord(end, clock);
      const state = asked ? 'stopped' : end.exitCode === 0 ? 'finished' : 'waiting';
      const restarts = state === 'waiting' ? { inc: { restarts: 1 } } : {};
      write({ set: { last_exit, state }, unset: ['process'], ...restarts });
      note(`The process ended ${howEnded(end)}${asked ? ', as requested' : ''}.`);
      if (asked) return;
      logger.warn('A sensor exited unexpectedly.', { sensor: ref, ...last_exit });
      metrics.count('sensorcontainer.exits');
      announce(sensor, { kind: 'exit', exitCode: exitNumber(end) });
    },
    restartsIn: (delayMs) => write({ set: { next_start_at: clock.nowMicros() + delayMs * MS_MICROS } }),
  };
}

const howEnded = ({ exitCode, signal }: SensorEnd): string =>
  signal === null ? `with exit code ${String(exitCode)}` : `by ${signal}`;

/** The convention of shells and Python libraries: minus the number of the signal that ended a process. */
export function exitNumber({ exitCode, signal }: SensorEnd): number {
  if (exitCode !== null) return exitCode;
  return signal === null ? -1 : -(constants.signals[signal] ?? 1);
}

const LONGEST_REASON = 2000;

const exitRecord = ({ exitCode, signal, reason }: SensorEnd, clock: Clock): SensorExit => ({
  exit_code: exitCode,
  signal,
  at: clock.nowMicros(),
  ...(reason === undefined ? {} : { reason: reason.slice(0, LONGEST_REASON) }),
});
