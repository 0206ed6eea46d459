import { isFault } from '@switchyard/base';
import type { WebhookDeliveryRecord } from '@switchyard/model';
import type { Collection } from '../collection';

export interface WebhookDeliveryRepository {
  /**
   * Stores a delivery unless there is one with its id that has not expired.
   * @param now expired deliveries count as absent before the store has removed them
   * @returns the stored delivery, which is another one if the request came before
   */
  claim(record: WebhookDeliveryRecord, now: Date): Promise<WebhookDeliveryRecord>;
  /** Marks a delivery as done. */
  finish(record: Pick<WebhookDeliveryRecord, '_id' | 'delivery'>): Promise<void>;
}

export const webhookDeliveryRepository = (
  deliveries: Collection<WebhookDeliveryRecord>,
): WebhookDeliveryRepository => ({
  async claim(record, now) {
    const insert = async (): Promise<WebhookDeliveryRecord | undefined> => {
      try {
        return await deliveries.insert(record);
      } catch (error) {
        if (isFault(error) && error.code === 'storage.duplicate') return undefined;
        throw error;
      }
    };
    for (;;) {
      const inserted = await insert();
      if (inserted) return inserted;
      const known = await deliveries.get(record._id);
      if (known && known.expires > now) return known;
      // It has expired, or the store has just removed it.
      const { delivery, done, expires } = record;
      const renewed =
        known &&
        (await deliveries.change({ _id: known._id, delivery: known.delivery }, { set: { delivery, done, expires } }));
      if (renewed) return renewed;
    }
  },
  async finish({ _id, delivery }) {
    await deliveries.change({ _id, delivery }, { set: { done: true } });
  },
});
