import type { InstanceKeys, InstanceRecord } from '@switchyard/model';
import type { Collection } from '../collection';

/** The running service processes. A missing record, or one without recent heartbeats, means a dead process. */
export interface InstanceRepository {
  register(record: InstanceRecord): Promise<void>;
  /** @param keys the keys that the process has now @returns false if the record is gone: another instance has declared this one dead */
  beat(id: string, keys?: InstanceKeys): Promise<boolean>;
  list(service?: string): Promise<InstanceRecord[]>;
  get(id: string): Promise<InstanceRecord | undefined>;
  remove(id: string): Promise<void>;
  /** Removes every instance. For a store that only one process can open, so that all others must have ended. */
  clear(): Promise<void>;
}

export const instanceRepository = (instances: Collection<InstanceRecord>): InstanceRepository => ({
  register: (record) => instances.put(record),
  beat: async (id, keys) =>
    (await instances.change({ _id: id }, { inc: { beat: 1 }, ...(keys && { set: { keys } }) })) !== undefined,
  list: (service) => instances.list(service === undefined ? {} : { filter: { service } }),
  get: (id) => instances.get(id),
  remove: async (id) => {
    await instances.remove(id);
  },
  clear: async () => {
    await instances.removeAll({});
  },
});
