import { isFault } from '@switchyard/base';
import type { KeyValueRecord, KeyValueScope } from '@switchyard/model';
import type { Collection, Filter, Page } from '../collection';

export interface KeyValueRepository {
  get(scope: KeyValueScope, name: string): Promise<KeyValueRecord | undefined>;
  list(page?: Page): Promise<KeyValueRecord[]>;
  /** As `list`, one after the other. */
  each(page?: Page): AsyncIterable<KeyValueRecord>;
  count(filter?: Filter): Promise<number>;
  /** Writes the item whole under its scope and name. @returns it, with the id that it has, and what was there before */
  put(record: NewKeyValue): Promise<{ record: KeyValueRecord; before: KeyValueRecord | undefined }>;
  /** @returns what was there */
  remove(scope: KeyValueScope, name: string): Promise<KeyValueRecord | undefined>;
}

export type NewKeyValue = Omit<KeyValueRecord, 'revision'>;

/** A write that finds that another one came in between looks again: what it replaces is what it says was there. */
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

/** @returns false when the item is no longer as it was */
const replace = async (items: Collection<KeyValueRecord>, record: KeyValueRecord, { _id, revision }: KeyValueRecord) =>
  (await items.swap({ _id, revision }, record)) !== undefined;

/** @returns false when there is one already */
async function insert(items: Collection<KeyValueRecord>, record: KeyValueRecord): Promise<boolean> {
  try {
    await items.insert(record);
    return true;
  } catch (error) {
    if (isFault(error) && error.code === 'storage.duplicate') return false;
    throw error;
  }
}
