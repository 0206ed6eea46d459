import type { SensorStateRecord } from '@switchyard/model';
import { endProcessGroup, killMarked } from '@switchyard/subprocess';
import type { Logger } from '@switchyard/telemetry';
import { SENSOR_MARKER } from './process/sensor-process';

/**
 * Ends what a container that is dead has left running of a sensor on this host. On another host its guard has done so.
 * @param state as it was before the sensor was taken over
 */
export async function endLeftovers(
  { _id: ref, owner, process }: SensorStateRecord,
  host: string,
  logger: Pick<Logger, 'warn'>,
): Promise<void> {
  if (owner?.host !== host) return;
  const marker = { name: SENSOR_MARKER, value: `${owner.instance}:${ref}` };
  const group = process && { pgid: process.pid, startTime: process.start_time, bootId: process.boot_id };
  const outcome = group && (await endProcessGroup(group, { marker }));
  // The container may have died between starting the process and writing it down.
  const strays = await killMarked(marker);
  if (outcome === 'ended' || strays.length > 0)
    logger.warn('Ended what a dead sensor container had left.', { sensor: ref, strays: strays.length });
}
