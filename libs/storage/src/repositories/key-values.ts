import { isFault } from '@switchyard/base';
import type { KeyValueRecord, KeyValueScope } from '@switchyard/model';
import type { Collection } from '../collection';
import type { Filter, RecordPage } from '../filter';

export interface KeyValueRepository {
  get(scope: KeyValueScope, name: string): Promise<KeyValueRecord | undefined>;
  list(page?: RecordPage<KeyValueRecord>): Promise<KeyValueRecord[]>;
  /** Like `list`, one record at a time. */
  each(page?: RecordPage<KeyValueRecord>): AsyncIterable<KeyValueRecord>;
  count(filter?: Filter<KeyValueRecord>): Promise<number>;
  /** Writes the whole item under its scope and name. @returns the item with its id, and the previous one */
  put(record: NewKeyValue): Promise<{ record: KeyValueRecord; before: KeyValueRecord | undefined }>;
  /** @returns the removed item */
  remove(scope: KeyValueScope, name: string): Promise<KeyValueRecord | undefined>;
}

export type NewKeyValue = Omit<KeyValueRecord, 'revision'>;

/** A write that was overtaken by another one reads again, so that it reports the item it actually replaced. */
export const keyValueRepository = (items: Collection<KeyValueRecord>): KeyValueRepository => {
  const get = (scope: KeyValueScope, name: string) => items.findOne({ scope, name });
  return {
    get,
    list: (page) => items.list(page),
    each: (page) => items.each(page),
    count: (filter) => items.count(filter),
    async put(made) {
      for (;;) {
        const before = await get(made.scope, made.name);
        const record = { ...made, _id: before?._id ?? made._id, revision: (before?.revision ?? 0) + 1 };
        const written = before ? await replace(items, record, before) : await insert(items, record);
        if (written) return { record, before };
      }
    },
    async remove(scope, name) {
      for (;;) {
        const before = await get(scope, name);
        if (!before) return undefined;
        if ((await items.removeAll({ _id: before._id, revision: before.revision })) > 0) return before;
      }
    },
  };
};

/** @returns false if the item has changed */
const replace = async (items: Collection<KeyValueRecord>, record: KeyValueRecord, { _id, revision }: KeyValueRecord) =>
  (await items.swap({ _id, revision }, record)) !== undefined;

/** @returns false if there is one already */
async function insert(items: Collection<KeyValueRecord>, record: KeyValueRecord): Promise<boolean> {
  try {
    await items.insert(record);
    return true;
  } catch (error) {
    if (isFault(error) && error.code === 'storage.duplicate') return false;
    throw error;
  }
}
