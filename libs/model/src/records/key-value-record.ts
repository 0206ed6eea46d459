import type { Id } from '@switchyard/base';

export type KeyValueScope = 'st2kv.system' | 'st2kv.user';

/** An item of the datastore. */
export interface KeyValueRecord {
  _id: Id;
  uid: string;
  scope: KeyValueScope;
  /** `user:key` in the user scope. */
  name: string;
  /** Encrypted when `secret`. */
  value: string;
  secret: boolean;
  /** Counts the writes, so that each knows what the one before it has left. */
  revision: number;
  description?: string;
  /** The store removes the item some time after this. */
  expire_timestamp?: Date;
}
