import { Type, type Static } from '@sinclair/typebox';
import { date, described, flag, isoTime, oneOfTexts, sortable, text, whole } from './fields';

export type KeyValueScope = 'st2kv.system' | 'st2kv.user';

/** An item of the datastore. */
export const keyValueRecordSchema = Type.Object({
  _id: sortable(text),
  uid: text,
  scope: sortable(oneOfTexts<KeyValueScope>(['st2kv.system', 'st2kv.user'])),
  /** `user:key` in the user scope. */
  name: sortable(text),
  /** Encrypted when `secret`. */
  value: text,
  secret: flag,
  /** Counts the writes, so that each one knows which value it replaced. */
  revision: whole,
  description: Type.Optional(text),
  /** The store removes the item some time after this. */
  expire_timestamp: Type.Optional(date),
});
export type KeyValueRecord = Static<typeof keyValueRecordSchema>;

const { _id, revision: _revision, ...shown } = keyValueRecordSchema.properties;
/** An item as the API shows it. */
export const keyValueAnswer = Type.Object(
  {
    id: _id,
    ...shown,
    name: described(text, 'Without the user'),
    encrypted: described(flag, 'The value is ciphertext'),
    expire_timestamp: Type.Optional(isoTime),
    user: Type.Optional(described(text, 'Its owner, in the user scope')),
  },
  { title: 'Key' },
);
export type Key = Static<typeof keyValueAnswer>;
