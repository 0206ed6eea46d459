import type { Micros } from '@switchyard/base';
import type { OutputRecord } from '@switchyard/model';
import type { Collection } from '../collection';
import { below, isOneOf } from '../filter';

export interface OutputRepository {
  append(chunks: readonly OutputRecord[]): Promise<void>;
  /** The output chunks of an execution in order, one page at a time, after a sequence number (0 = from the start). */
  read(executionId: string, options?: { after?: number; limit?: number }): Promise<OutputRecord[]>;
  remove(executionId: string): Promise<void>;
  /** Removes the output of several executions. */
  removeOf(executionIds: readonly string[]): Promise<void>;
  /** Removes the oldest chunks from before a time. @returns how many */
  removeOldest(before: Micros, limit: number): Promise<number>;
}

const PAGE = 200;

export const outputRepository = (output: Collection<OutputRecord>): OutputRepository => ({
  async append(chunks) {
    const [only] = chunks;
    if (only && chunks.length === 1) await output.insert(only);
    else await output.insertMany(chunks);
  },
  read: (executionId, { after = 0, limit = PAGE } = {}) =>
    output.list({ filter: { execution_id: executionId, sequence: { $gt: after } }, sort: { sequence: 1 }, limit }),
  remove: async (executionId) => {
    await output.removeAll({ execution_id: executionId });
  },
  removeOf: async (executionIds) => {
    await output.removeAll({ execution_id: isOneOf(executionIds) });
  },
  async removeOldest(before, limit) {
    const oldest = await output.list({
      filter: { timestamp: below(before) },
      sort: { timestamp: 1 },
      limit,
      fields: ['_id'],
    });
    return output.removeAll({ _id: isOneOf(oldest.map(({ _id }) => _id)) });
  },
});
