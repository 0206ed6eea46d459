import type { KeyValueRecord, KeyValueScope } from '@switchyard/model';
import { isDuplicateKey, type Collection, type Filter, type Page } from '../collection';

export interface KeyValueRepository {
  get(scope: KeyValueScope, name: string): Promise<KeyValueRecord | undefined>;
  list(page?: Page): Promise<KeyValueRecord[]>;
  count(filter?: Filter): Promise<number>;
  /** Writes the item whole under its scope and name. @returns it, with the id that it has, and what was there before */
  put(record: KeyValueRecord): Promise<{ record: KeyValueRecord; before: KeyValueRecord | undefined }>;
  /** @returns what was there */
  remove(scope: KeyValueScope, name: string): Promise<KeyValueRecord | undefined>;
}

export const keyValueRepository = (items: Collection<KeyValueRecord>): KeyValueRepository => {
  const get = (scope: KeyValueScope, name: string) => items.findOne({ scope, name });
  return {
    get,
    list: (page) => items.list(page),
    count: (filter) => items.count(filter),
    async put(record) {
      for (;;) {
        const before = await get(record.scope, record.name);
        const whole = { ...record, _id: before?._id ?? record._id };
        if (before) {
          if (await items.replace(whole)) return { record: whole, before };
          continue;
        }
        try {
          return { record: await items.insert(whole), before };
        } catch (error) {
          // Somebody else has made it in the meantime.
          if (!isDuplicateKey((error as Error).cause)) throw error;
        }
      }
    },
    async remove(scope, name) {
      const before = await get(scope, name);
      return before && (await items.remove(before._id)) ? before : undefined;
    },
  };
};
