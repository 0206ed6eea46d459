import { isFault } from '@switchyard/base';
import type { SensorOwner, SensorStateRecord } from '@switchyard/model';
import type { Collection } from '../collection';
import type { RecordChange } from '../filter';

/** The owner and state of each sensor. A sensor has one owner at a time. */
export interface SensorStateRepository {
  get(ref: string): Promise<SensorStateRecord | undefined>;
  list(refs?: readonly string[]): Promise<SensorStateRecord[]>;
  /**
   * Claims a sensor. End the processes of its former owner first.
   * @param from the dead instance that owns it; absent: it has no owner
   * @returns undefined if another instance owns it
   */
  claim(ref: string, owner: SensorOwner, from?: string): Promise<SensorStateRecord | undefined>;
  /** Saves the state of a sensor. @returns false if this instance no longer owns the sensor */
  change(ref: string, instance: string, change: RecordChange<SensorStateRecord>): Promise<boolean>;
  /** Removes the state of a sensor that no longer exists, unless it has an owner. */
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
