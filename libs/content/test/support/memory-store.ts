import { newId } from '@switchyard/base';
import type { ActionRecord, PackRecord, RunnerTypeRecord } from '@switchyard/model';
import type { ResourceRepository, Store } from '@switchyard/storage';

/** A store in memory that counts its writes. Only what the registrar uses is there. */
export interface MemoryStore extends Pick<Store, 'actions' | 'packs' | 'runnerTypes'> {
  writes: number;
}

export function memoryStore(): MemoryStore & Store {
  const store = { writes: 0 } as MemoryStore;
  const counted = () => (store.writes += 1);
  Object.assign(store, {
    actions: repository<ActionRecord>('ref', counted),
    packs: repository<PackRecord>('ref', counted),
    runnerTypes: repository<RunnerTypeRecord>('name', counted),
  });
  return store as MemoryStore & Store;
}

function repository<T extends { _id: string }>(key: keyof T & string, counted: () => void): ResourceRepository<T> {
  const records = new Map<string, T>();
  const all = () => [...records.values()].map((record) => structuredClone(record));
  const byKey = async (value: string) => all().find((record) => record[key] === value);
  const put = (record: T): T => {
    counted();
    records.set(record._id, structuredClone(record));
    return record;
  };
  return {
    get: async (id) => records.get(id),
    byKey,
    find: async (keyOrId) => (await byKey(keyOrId)) ?? records.get(keyOrId),
    list: async ({ filter = {} } = {}) =>
      all().filter((record) => Object.entries(filter).every(([field, value]) => record[field as keyof T] === value)),
    count: async () => records.size,
    insert: async (record) => put(record),
    replace: async (record) => records.has(record._id) && put(record) === record,
    upsert: async (record) => put({ ...record, _id: newId() } as T),
    remove: async (id) => records.delete(id),
  };
}
