import type { Micros } from '@switchyard/base';
import type { SensorLogRecord } from '@switchyard/model';
import type { Collection } from '../collection';
import { above, below } from '../filter';

/** The last lines of each sensor. */
export interface SensorLogRepository {
  append(record: SensorLogRecord): Promise<void>;
  /** The lines of a sensor that were stored after a time; all when absent. The oldest come first. */
  read(sensor: string, after?: Micros): Promise<SensorLogRecord[]>;
  /** The same records without their lines. */
  sizes(sensor: string): Promise<Pick<SensorLogRecord, 'at' | 'count'>[]>;
  removeBefore(sensor: string, at: Micros): Promise<void>;
  remove(sensor: string): Promise<void>;
}

export const sensorLogRepository = (logs: Collection<SensorLogRecord>): SensorLogRepository => ({
  async append(record) {
    await logs.insert(record);
  },
  read: (sensor, after) =>
    logs.list({ filter: { sensor, ...(after === undefined ? {} : { at: above(after) }) }, sort: { at: 1 } }),
  sizes: (sensor) => logs.list({ filter: { sensor }, sort: { at: 1 }, fields: ['at', 'count'] }),
  async removeBefore(sensor, at) {
    await logs.removeAll({ sensor, at: below(at) });
  },
  async remove(sensor) {
    await logs.removeAll({ sensor });
  },
});
