import type { OutputRecord } from '@switchyard/model';
import type { Collection } from '../collection';

export interface OutputRepository {
  append(chunks: readonly OutputRecord[]): Promise<void>;
  /** The output chunks of an execution in order, one page at a time, after a sequence number (0 = from the start). */
  read(executionId: string, options?: { after?: number; limit?: number }): Promise<OutputRecord[]>;
  remove(executionId: string): Promise<void>;
}

const PAGE = 200;

export const outputRepository = (output: Collection<OutputRecord>): OutputRepository => ({
  append: (chunks) => output.insertMany(chunks),
  read: (executionId, { after = 0, limit = PAGE } = {}) =>
    output.list({ filter: { execution_id: executionId, sequence: { $gt: after } }, sort: { sequence: 1 }, limit }),
  remove: async (executionId) => {
    await output.removeAll({ execution_id: executionId });
  },
});
