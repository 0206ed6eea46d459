import { fault, MS_MICROS, type Clock } from '@switchyard/base';
import type { KeyValueRecord } from '@switchyard/model';
import { atMost, type Sort, type Store } from '@switchyard/storage';
import type { Logger } from '@switchyard/telemetry';
import type { ValueCipher } from './encryption/value-cipher';
import {
  datastoreItemOf,
  unreadableItem,
  type Item,
  type UnreadableItem,
  showItem,
  showListed,
  type ItemReading,
} from './item';
import { changesOf, announceItem, type OnItemChange, writableItem, type NewItem } from './write-item';
import { isWholeSystem, itemFilter, type ItemSelection } from './item-filter';
import { storedName, type ItemKey, FULL_SCOPE } from './item-key';
import { lookupFor, type ItemLookup, type LookupRules } from './lookup';

export interface DatastoreDependencies extends LookupRules {
  readonly store: Pick<Store, 'keyValues'>;
  readonly cipher: ValueCipher;
  readonly clock: Pick<Clock, 'nowMicros'>;
  readonly logger: Pick<Logger, 'audit' | 'warn' | 'error'>;
  readonly onChange?: OnItemChange | undefined;
}

export interface ItemQuery extends ItemSelection, ItemReading {
  /** By stored fields. Default: oldest first. System items always come before user items. */
  readonly sort?: Sort<KeyValueRecord>;
  readonly limit?: number;
  readonly offset?: number;
}

/**
 * Named texts, either of the whole system or of one user. The caller decides who may do what. An expired item counts as
 * absent, even if the store has not removed it yet.
 */
export interface Datastore {
  /** @throws Fault `datastore.unreadable`; `datastore.cannot-decrypt` and others of the cipher, when asked to decrypt */
  get(key: ItemKey, reading?: ItemReading): Promise<Item | undefined>;
  /** Like `get`, but returns a stored item that cannot be read as an `UnreadableItem` instead of throwing. */
  show(key: ItemKey, reading?: ItemReading): Promise<Item | UnreadableItem | undefined>;
  /** Values that cannot be decrypted stay ciphertext; unreadable items are left out. @returns one page and the total count */
  list(query: ItemQuery): Promise<{ items: Item[]; total: number }>;
  /** Streams the items, including unreadable ones. */
  each(query: ItemQuery): AsyncIterable<Item | UnreadableItem>;
  count(query: ItemSelection): Promise<number>;
  /** @throws Fault `datastore.value-too-large`, `datastore.integrity`, and those of the cipher */
  put(key: ItemKey, item: NewItem): Promise<Item>;
  /** @returns the removed item */
  remove(key: ItemKey): Promise<Item | undefined>;
  /**
   * Returns the reader behind `st2kv.system.a`, `st2kv.user.a` and `st2kv('a')` in templates and workflows.
   * @param context context of the execution; it names the owner of user-scoped items
   */
  lookupFor(context: Readonly<Record<string, unknown>>): ItemLookup;
}

export function createDatastore(deps: DatastoreDependencies): Datastore {
  const { store, clock } = deps;
  const now = () => new Date(clock.nowMicros() / MS_MICROS);
  const unlessExpired = (record: KeyValueRecord | undefined): KeyValueRecord | undefined =>
    record?.expire_timestamp && record.expire_timestamp <= now() ? undefined : record;
  const show: Datastore['show'] = async (key, reading = {}) => {
    const record = await store.keyValues.get(FULL_SCOPE[key.scope], storedName(key));
    const unreadable = record && unreadableItem(record);
    if (unreadable) return unreadable;
    const current = unlessExpired(record);
    return current && showItem(deps, current, reading);
  };
  const get: Datastore['get'] = async (key, reading) => {
    const item = await show(key, reading);
    if (item && 'unreadable' in item)
      throw fault('datastore.unreadable', { name: key.name, id: item.id, text: item.unreadable });
    return item;
  };
  return {
    get,
    show,
    lookupFor: lookupFor(deps, get),
    list: (query) => listItems(deps, query, now()),
    each: (query) => eachItem(deps, query, now()),
    count: (selection) => countItems(deps, selection, now()),
    async put(key, given) {
      const { record: made, plain } = await writableItem(deps, key, given);
      const { record, before } = await store.keyValues.put(made);
      await announceItem(deps, await changesOf(deps.cipher, { record, plain }, unlessExpired(before)));
      return datastoreItemOf(record);
    },
    async remove(key) {
      const record = unlessExpired(await store.keyValues.remove(FULL_SCOPE[key.scope], storedName(key)));
      if (!record) return undefined;
      const object = datastoreItemOf(record);
      await announceItem(deps, [{ kind: 'delete', payload: { object } }]);
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
  const items = await Promise.all(records.map((record) => showListed(deps, record, { decryptFor })));
  return { items: items.filter((item): item is Item => !('unreadable' in item)), total };
}

/** Expired items are few, because the store removes them. */
async function countItems({ store: { keyValues } }: DatastoreDependencies, selection: ItemSelection, now: Date) {
  if (!isWholeSystem(selection)) return keyValues.count(itemFilter(selection, now));
  const scope = FULL_SCOPE.system;
  const [all, expired] = await Promise.all([
    keyValues.count({ scope }),
    keyValues.count({ scope, expire_timestamp: atMost(now) }),
  ]);
  return all - expired;
}

async function* eachItem(
  deps: DatastoreDependencies,
  query: ItemQuery,
  now: Date,
): AsyncGenerator<Item | UnreadableItem, void> {
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
