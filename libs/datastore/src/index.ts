export { createDatastore, type Datastore, type DatastoreDependencies, type ItemQuery } from './datastore';
export { openItemResealers } from './encryption/item-resealer';
export { openKeyFile } from './encryption/key-file';
export { createValueCipher, type ValueCipher, type ValueCipherOptions } from './encryption/value-cipher';
export type { Item, UnreadableItem, ItemReading } from './item';
export { type ItemChange, type OnItemChange, MAX_VALUE_BYTES, type NewItem } from './write-item';
export type { ItemSelection } from './item-filter';
export { itemUid, storedName, type ItemKey, readListScope, readScope, type ItemScope } from './item-key';
export type { ItemAccess, ItemLookup, LookupRules } from './lookup';
