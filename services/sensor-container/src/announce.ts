import { SECOND_MICROS, type Clock } from '@switchyard/base';
import type { SensorTypeRecord } from '@switchyard/model';
import type { Logger } from '@switchyard/telemetry';
import { SENSOR_EXIT, SENSOR_SPAWN, type Dispatch } from '@switchyard/triggers';
import { whileAway } from './calls/while-away';
import type { SensorEvent } from './sensor-reports';

export interface AnnounceDeps {
  readonly dispatch: Dispatch;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  gaveUp(): boolean;
}

/** Dispatches a trigger when a sensor process was started or has ended by itself. Callers do not wait for it. */
export function announceEvent(deps: AnnounceDeps, { ref, class_name: id }: SensorTypeRecord, event: SensorEvent): void {
  const { dispatch, clock, logger, gaveUp } = deps;
  const about = { ref, id, timestamp: Math.floor(clock.nowMicros() / SECOND_MICROS) };
  const request =
    event.kind === 'spawn'
      ? { trigger: SENSOR_SPAWN, payload: { ...about, pid: event.pid, cmd: event.command } }
      : { trigger: SENSOR_EXIT, payload: { ...about, exit_code: event.exitCode } };
  const failed = (error: unknown) =>
    logger.warn('Failed to announce the event of a sensor process.', { sensor: ref, error });
  whileAway(() => dispatch({ ...request, validate: false }), { clock, gaveUp, onFailure: failed }).catch(failed);
}
