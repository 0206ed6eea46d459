import { Type, type Static } from '@sinclair/typebox';
import { anyObject, date, flag, isoTime, micros, text } from './fields';

export const userRecordSchema = Type.Object({
  _id: text,
  name: text,
  is_service: flag,
  nicknames: Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } }),
});
export type UserRecord = Static<typeof userRecordSchema>;

export const tokenRecordSchema = Type.Object({
  _id: text,
  user: text,
  /** SHA-256 of the token. Only its holder knows the token itself. */
  token_hash: text,
  /** A date, so that the store's TTL index can remove the record. */
  expiry: date,
  metadata: anyObject,
  service: flag,
});
export type TokenRecord = Static<typeof tokenRecordSchema>;

export const apiKeyRecordSchema = Type.Object({
  _id: text,
  uid: text,
  user: text,
  key_hash: text,
  metadata: anyObject,
  created_at: micros,
  enabled: flag,
});
export type ApiKeyRecord = Static<typeof apiKeyRecordSchema>;

const { _id, ...shown } = apiKeyRecordSchema.properties;
/** An API key as the API shows it. Its hash and uid are masked for most users. */
export const apiKeyAnswer = Type.Object({ id: _id, ...shown, created_at: isoTime });
