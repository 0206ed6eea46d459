import { MS_MICROS, type Clock } from '@switchyard/base';
import type { KeyValueRecord } from '@switchyard/model';
import type { Sort, Store } from '@switchyard/storage';
import type { Logger } from '@switchyard/telemetry';
import type { ValueCipher } from './encryption/value-cipher';
import { itemOf, type Item } from './item';
import { changesOf, tell, type OnItemChange } from './item-change';
import { itemFilter, type ItemSelection } from './item-filter';
import { storedName, type ItemKey } from './item-key';
import { lookupFor, type ItemLookup, type LookupRules } from './lookup';
import { FULL_SCOPE } from './scope';
import { showItem, showListed, type Reading } from './show-item';
import { writableItem, type NewItem } from './write-item';

export interface DatastoreDependencies extends LookupRules {
  readonly store: Pick<Store, 'keyValues'>;
  readonly cipher: ValueCipher;
  readonly clock: Pick<Clock, 'nowMicros'>;
  readonly logger: Pick<Logger, 'audit' | 'warn' | 'error'>;
  readonly onChange?: OnItemChange | undefined;
}

export interface ItemQuery extends ItemSelection, Reading {
  /** Stored fields; in the order of their making unless given. Items of the system come before those of users. */
  readonly sort?: Sort;
  readonly limit?: number;
  readonly offset?: number;
}

/**
 * Named texts: of the system, and of each user. Who may do what, the caller decides. An item that has expired is not there,
 * whether or not the store has removed it already.
 */
export interface Datastore {
  /** @throws Fault `datastore.cannot-decrypt` and others of the cipher, when asked to decrypt */
  get(key: ItemKey, reading?: Reading): Promise<Item | undefined>;
  /** Values that cannot be decrypted stay ciphertext. @returns one page, and how many there are in all */
  list(query: ItemQuery): Promise<{ items: Item[]; total: number }>;
  /** As `list`, one after the other. */
  each(query: ItemQuery): AsyncIterable<Item>;
  count(query: ItemSelection): Promise<number>;
  /** @throws Fault `datastore.value-too-large`, `datastore.integrity`, and those of the cipher */
  put(key: ItemKey, item: NewItem): Promise<Item>;
  /** @returns what was there */
  remove(key: ItemKey): Promise<Item | undefined>;
  /**
   * What templates and workflows read with: `st2kv.system.a`, `st2kv.user.a`, `st2kv('a')`.
   * @param context of the execution; it says whose the items of the user scope are
   */
  lookupFor(context: Readonly<Record<string, unknown>>): ItemLookup;
}

export function createDatastore(deps: DatastoreDependencies): Datastore {
  const { store, clock } = deps;
  const now = () => new Date(clock.nowMicros() / MS_MICROS);
  const unlessExpired = (record: KeyValueRecord | undefined): KeyValueRecord | undefined =>
    record?.expire_timestamp && record.expire_timestamp <= now() ? undefined : record;
  const get: Datastore['get'] = async (key, reading = {}) => {
    const record = unlessExpired(await store.keyValues.get(FULL_SCOPE[key.scope], storedName(key)));
    return record && showItem(deps, record, reading);
  };
  return {
    get,
    lookupFor: lookupFor(deps, get),
    list: (query) => listItems(deps, query, now()),
    each: (query) => eachItem(deps, query, now()),
    count: (selection) => store.keyValues.count(itemFilter(selection, now())),
    async put(key, given) {
      const { record: made, plain } = await writableItem(deps, key, given);
      const { record, before } = await store.keyValues.put(made);
      await tell(deps, await changesOf(deps.cipher, { record, plain }, unlessExpired(before)));
      return itemOf(record);
    },
    async remove(key) {
      const record = unlessExpired(await store.keyValues.remove(FULL_SCOPE[key.scope], storedName(key)));
      if (!record) return undefined;
      const object = itemOf(record);
      await tell(deps, [{ kind: 'delete', payload: { object } }]);
      return object;
    },
  };
}

async function listItems(
  deps: DatastoreDependencies,
  query: ItemQuery,
  now: Date,
): Promise<{ items: Item[]; total: number }> {
  const { keyValues } = deps.store;
  const { filter, decryptFor, ...page } = itemPage(query, now);
  const [records, total] = await Promise.all([keyValues.list({ filter, ...page }), keyValues.count(filter)]);
  return { items: await Promise.all(records.map((record) => showListed(deps, record, { decryptFor }))), total };
}

async function* eachItem(deps: DatastoreDependencies, query: ItemQuery, now: Date): AsyncGenerator<Item, void> {
  const { decryptFor, ...page } = itemPage(query, now);
  for await (const record of deps.store.keyValues.each(page)) yield showListed(deps, record, { decryptFor });
}

function itemPage({ sort = {}, limit, offset, decryptFor, ...selection }: ItemQuery, now: Date) {
  return {
    filter: itemFilter(selection, now),
    sort: { scope: 1 as const, ...sort, _id: sort['_id'] ?? (1 as const) },
    ...(limit === undefined ? {} : { limit }),
    ...(offset === undefined ? {} : { offset }),
    decryptFor,
  };
}
