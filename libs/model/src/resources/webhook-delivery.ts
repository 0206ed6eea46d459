import { Type, type Static } from '@sinclair/typebox';
import { date, described, flag, text } from './fields';

/** A signed request to a webhook trigger, remembered so that a repetition of it does not count. */
export const webhookDeliveryRecordSchema = Type.Object({
  _id: described(text, 'A hash of the trigger and of what was signed'),
  delivery: described(text, 'Identifies the event. A repeated request gets the same value until the event is stored'),
  done: described(flag, 'Whether the event is stored'),
  /** A date, so that the store's TTL index can remove the record. */
  expires: date,
});
export type WebhookDeliveryRecord = Static<typeof webhookDeliveryRecordSchema>;
