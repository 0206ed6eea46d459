import { isFault } from '@switchyard/base';
import type { SensorOwner, SensorStateRecord } from '@switchyard/model';
import type { Change, Collection } from '../collection';

/** Who runs which sensor, and how it goes. A sensor has one owner at a time. */
export interface SensorStateRepository {
  get(ref: string): Promise<SensorStateRecord | undefined>;
  list(refs?: readonly string[]): Promise<SensorStateRecord[]>;
  /**
   * Takes a sensor. What its former owner has started is to be ended before.
   * @param from the instance that has it, and is dead; absent: nobody has it
   * @returns undefined when somebody else has it
   */
  claim(ref: string, owner: SensorOwner, from?: string): Promise<SensorStateRecord | undefined>;
  /** Writes how it goes. @returns false when the sensor is not this instance's any more */
  change(ref: string, instance: string, change: Change): Promise<boolean>;
  /** Forgets a sensor that no longer exists, unless somebody has it. */
  forget(ref: string): Promise<void>;
}

export const sensorStateRepository = (states: Collection<SensorStateRecord>): SensorStateRepository => ({
  get: (ref) => states.get(ref),
  list: (refs) => states.list(refs ? { filter: { _id: { $in: [...refs] } } } : {}),
  async claim(ref, owner, from) {
    const had = from === undefined ? { owner: { $exists: false } } : { 'owner.instance': from };
    const taken = await states.change(
      { _id: ref, ...had },
      {
        set: { owner, restarts: 0, state: 'stopped' },
        unset: ['process', 'next_start_at', 'reason'],
      },
    );
    if (taken || from !== undefined) return taken;
    try {
      return await states.insert({ _id: ref, state: 'stopped', owner, restarts: 0 });
    } catch (error) {
      if (!isFault(error) || error.code !== 'storage.duplicate') throw error;
      return undefined;
    }
  },
  change: async (ref, instance, change) =>
    (await states.change({ _id: ref, 'owner.instance': instance }, change)) !== undefined,
  async forget(ref) {
    await states.removeAll({ _id: ref, owner: { $exists: false } });
  },
});
