import { Type, type Static } from '@sinclair/typebox';
import { date, described, text, whole } from './fields';

/** Wrong passwords in a row for one user from one network, as all processes have counted them. */
export const loginFailureRecordSchema = Type.Object({
  _id: described(text, 'A hash of the user and the network'),
  count: whole,
  /** A date, so that the store's TTL index can remove the record. */
  expires: date,
});
export type LoginFailureRecord = Static<typeof loginFailureRecordSchema>;
