import { recordChange, type Publisher } from '@switchyard/messaging';
import type { SensorTypeRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';

export interface SensorRemoval {
  readonly store: Pick<Store, 'sensorTypes'>;
  readonly publisher: Pick<Publisher, 'publish'>;
  readonly logger: { warn(message: string, details?: Record<string, unknown>): void };
}

/**
 * Removes a sensor and tells the containers: the one that runs it ends its processes, and forgets it.
 * @returns false when it was gone
 */
export async function removeSensor(
  { store, publisher, logger }: SensorRemoval,
  { _id, ref }: Pick<SensorTypeRecord, '_id' | 'ref'>,
): Promise<boolean> {
  const removed = await store.sensorTypes.remove(_id);
  await publisher
    .publish(recordChange({ record: 'sensor', change: 'delete', id: _id, ref }))
    .catch((error: unknown) =>
      logger.warn('Sensor containers could not be told of a change; they will find it.', { error }),
    );
  return removed;
}
