import type { Micros } from '@switchyard/base';
import { isOneOf, where, type Filter } from '../filter';
import type { Collection } from '../collection';

/** Records that are removed when they are old. */
export interface AgedRecords<T> {
  /** The records from before a time, the oldest first. */
  oldest(before: Micros, limit: number): Promise<T[]>;
  /** @returns how many of them existed */
  removeAll(ids: readonly string[]): Promise<number>;
}

/**
 * @param time the field with the age
 * @param also a condition that removable records meet
 */
export const agedRecords = <T extends { _id: string }>(
  records: Collection<T>,
  time: string & keyof T,
  { also = {}, asStored = (before) => before }: { also?: Filter<T>; asStored?: (before: Micros) => unknown } = {},
): AgedRecords<T> => ({
  oldest: (before, limit) =>
    records.list({
      filter: { ...also, [time]: { $lt: asStored(before) } },
      sort: { [time]: 1 } as never,
      limit,
      once: true,
    }),
  removeAll: (ids) => records.removeAll(where<T>('_id', isOneOf(ids))),
});
