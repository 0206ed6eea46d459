import type { InstanceRecord } from '@switchyard/model';
import type { Collection } from '../collection';

/** The running service processes. A record that is gone, or whose beat stands still, means a dead process. */
export interface InstanceRepository {
  register(record: InstanceRecord): Promise<void>;
  /** @returns false when the record is gone: somebody has declared this instance dead */
  beat(id: string): Promise<boolean>;
  list(service?: string): Promise<InstanceRecord[]>;
  get(id: string): Promise<InstanceRecord | undefined>;
  remove(id: string): Promise<void>;
  /** Forgets every instance. For a store that only one process can hold: whoever opens it knows that the others ended. */
  clear(): Promise<void>;
}

export const instanceRepository = (instances: Collection<InstanceRecord>): InstanceRepository => ({
  register: (record) => instances.put(record),
  beat: async (id) => (await instances.change({ _id: id }, { inc: { beat: 1 } })) !== undefined,
  list: (service) => instances.list(service === undefined ? {} : { filter: { service } }),
  get: (id) => instances.get(id),
  remove: async (id) => {
    await instances.remove(id);
  },
  clear: async () => {
    await instances.removeAll({});
  },
});
