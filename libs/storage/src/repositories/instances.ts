import { together } from '@switchyard/base';
import type { InstanceKeys, InstanceRecord } from '@switchyard/model';
import type { Collection } from '../collection';
import { isOneOf } from '../filter';

/** The running service processes. A missing record, or one without recent heartbeats, means a dead process. */
export interface InstanceRepository {
  register(record: InstanceRecord): Promise<void>;
  /**
   * Several heartbeats in one turn of the event loop share one write. @param keys the keys that the process has now
   * @returns false if the record is gone: another instance has declared this one dead
   */
  beat(id: string, keys?: InstanceKeys): Promise<boolean>;
  /** @param services all if there are none */
  list(...services: readonly string[]): Promise<InstanceRecord[]>;
  get(id: string): Promise<InstanceRecord | undefined>;
  remove(id: string): Promise<void>;
  /** Removes every instance. For a store that only one process can open, so that all others must have ended. */
  clear(): Promise<void>;
}

export const instanceRepository = (instances: Collection<InstanceRecord>): InstanceRepository => ({
  register: (record) => instances.put(record),
  beat: beatsOf(instances),
  list: (...services) => instances.list(services.length === 0 ? {} : { filter: { service: isOneOf(services) } }),
  get: (id) => instances.get(id),
  remove: async (id) => {
    await instances.remove(id);
  },
  clear: async () => {
    await instances.removeAll({});
  },
});

interface Beat {
  readonly id: string;
  readonly keys: InstanceKeys | undefined;
}

function beatsOf(instances: Collection<InstanceRecord>): InstanceRepository['beat'] {
  const changeOf = ({ keys }: Beat) => ({ inc: { beat: 1 }, ...(keys && { set: { keys } }) });
  const beat = together(async (beats: readonly Beat[]): Promise<boolean[]> => {
    const [first] = beats;
    if (first && beats.length === 1)
      return [(await instances.change({ _id: first.id }, changeOf(first))) !== undefined];
    const changes = beats.map((each) => ({ filter: { _id: each.id }, change: changeOf(each) }));
    if ((await instances.changeEach(changes)) === beats.length) return beats.map(() => true);
    const filter = { _id: isOneOf(beats.map(({ id }) => id)) };
    const known = new Set((await instances.list({ filter, fields: ['_id'] })).map(({ _id }) => _id));
    return beats.map(({ id }) => known.has(id));
  });
  return (id, keys) => beat({ id, keys });
}
