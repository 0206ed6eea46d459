import { Type, type Static } from '@sinclair/typebox';
import { anyObject, date, described, text } from './fields';

/** A login of `svc login --sso` for which the user is known. The user has to confirm it, or the command to fetch its token. */
export const loginGrantRecordSchema = Type.Object({
  _id: described(text, 'A hash of a secret that only the browser or the command has'),
  user: text,
  terminal: Type.Optional(described(anyObject, 'The login that the user has to confirm, until they have')),
  /** A date, so that the store's TTL index can remove the record. */
  expires: date,
});
export type LoginGrantRecord = Static<typeof loginGrantRecordSchema>;
