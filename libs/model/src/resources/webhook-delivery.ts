import { Type, type Static } from '@sinclair/typebox';
import { date, described, flag, text } from './fields';

/** A signed request to a webhook trigger, remembered so that a repetition of it does not count. */
export const webhookDeliveryRecordSchema = Type.Object({
  _id: described(text, 'A hash of the trigger and of what was signed'),
  delivery: described(text, 'Makes the event unique: a repetition of the request before it is done has the same one'),
  done: described(flag, 'Whether the event is stored'),
  /** A date, so that the store's TTL index can remove the record. */
  expires: date,
});
export type WebhookDeliveryRecord = Static<typeof webhookDeliveryRecordSchema>;
