import { isFault, newId } from '@switchyard/base';
import type { Collection } from '../collection';
import { where, type Filter, type RecordPage } from '../filter';
import { takenKey } from '../duplicate-keys';

/** Records found by id, or by another key such as `ref` or `name`. */
export interface ResourceRepository<T extends { _id: string }> {
  get(id: string): Promise<T | undefined>;
  byKey(key: string): Promise<T | undefined>;
  /** By key first, then by id. */
  find(keyOrId: string): Promise<T | undefined>;
  list(page?: RecordPage<T>): Promise<T[]>;
  /** Like `list`, one record at a time. */
  each(page?: RecordPage<T>): AsyncIterable<T>;
  count(filter?: Filter<T>): Promise<number>;
  /** @throws Fault `storage.duplicate`, with the `conflict-id` of the existing record with this key */
  insert(record: T): Promise<T>;
  /** @returns false if the record no longer exists @throws Fault `storage.duplicate`, like `insert` */
  replace(record: T): Promise<boolean>;
  /** Inserts the record, or replaces the one with the same key and keeps its id. */
  upsert(record: Omit<T, '_id'>): Promise<T>;
  remove(id: string): Promise<boolean>;
}

export function resourceRepository<T extends { _id: string }>(
  records: Collection<T>,
  key: keyof T & string,
): ResourceRepository<T> {
  const byKey = (value: string) => records.findOne(where<T>(key, value));
  const keyOf = (record: object) => String((record as Record<string, unknown>)[key]);
  const namingTheOther = async <R>(record: T, write: () => Promise<R>): Promise<R> => {
    try {
      return await write();
    } catch (error) {
      if (!isFault(error) || error.code !== 'storage.duplicate') throw error;
      const taken = await byKey(keyOf(record));
      throw taken && taken._id !== record._id ? takenKey(key, keyOf(record), taken._id, error) : error;
    }
  };
  const insert = (record: T) => namingTheOther(record, () => records.insert(record));
  const replace = (record: T) => namingTheOther(record, () => records.replace(record));
  return {
    get: (id) => records.get(id),
    byKey,
    find: async (keyOrId) => (await byKey(keyOrId)) ?? (await records.get(keyOrId)),
    list: (page) => records.list(page),
    each: (page) => records.each(page),
    count: (filter) => records.count(filter),
    insert,
    replace,
    async upsert(record) {
      const existing = await byKey(keyOf(record));
      if (!existing) return insert({ ...record, _id: newId() } as T);
      const whole = { ...record, _id: existing._id } as T;
      await replace(whole);
      return whole;
    },
    remove: (id) => records.remove(id),
  };
}

/** Applies a function to each record. */
export async function* mapped<A, B>(
  records: AsyncIterable<A>,
  map: (record: A) => B,
): AsyncGenerator<B, void, undefined> {
  for await (const record of records) yield map(record);
}
