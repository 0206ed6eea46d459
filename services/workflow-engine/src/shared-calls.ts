import { together, type Id } from '@switchyard/base';
import type { ExecutionRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';

/** What is asked of the store for every execution that something is heard of; those of one moment share a call. */
export interface SharedCalls {
  get(id: Id): Promise<ExecutionRecord | undefined>;
  /** Takes the engines' mark off an execution that has ended. */
  settle(id: Id): Promise<void>;
}

export const createSharedCalls = ({ executions }: Pick<Store, 'executions'>): SharedCalls => ({
  get: together(async (ids: readonly Id[]) => {
    if (ids.length === 1) return [await executions.get(ids[0]!)];
    const records = await executions.list({ filter: { _id: { $in: [...new Set(ids)] } } });
    const found = new Map(records.map((record) => [record._id, record]));
    return ids.map((id) => found.get(id));
  }),
  settle: together(async (ids: readonly Id[]) => {
    await executions.settle([...new Set(ids)], 'workflow-engine');
    return ids.map(() => undefined);
  }),
});
