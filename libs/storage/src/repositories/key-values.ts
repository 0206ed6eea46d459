import { isFault } from '@switchyard/base';
import type { KeyValueRecord, KeyValueScope } from '@switchyard/model';
import type { Collection, Filter, Page } from '../collection';

export interface KeyValueRepository {
  get(scope: KeyValueScope, name: string): Promise<KeyValueRecord | undefined>;
  list(page?: Page): Promise<KeyValueRecord[]>;
  count(filter?: Filter): Promise<number>;
  /** Writes the item whole under its scope and name. @returns it, with the id that it has, and what was there before */
  put(record: KeyValueRecord): Promise<{ record: KeyValueRecord; before: KeyValueRecord | undefined }>;
  /** @returns what was there */
  remove(scope: KeyValueScope, name: string): Promise<KeyValueRecord | undefined>;
}

/** Each write is one step in the store, so that of several at once each learns what the one before it has left. */
export const keyValueRepository = (items: Collection<KeyValueRecord>): KeyValueRepository => ({
  get: (scope, name) => items.findOne({ scope, name }),
  list: (page) => items.list(page),
  count: (filter) => items.count(filter),
  async put(record) {
    const { scope, name } = record;
    for (;;) {
      const before = await items.swap({ scope, name }, record);
      if (before) return { record: { ...record, _id: before._id }, before };
      try {
        return { record: await items.insert(record), before };
      } catch (error) {
        // Somebody else has made it in the meantime.
        if (!isFault(error) || error.code !== 'storage.duplicate') throw error;
      }
    }
  },
  remove: (scope, name) => items.take({ scope, name }),
});
