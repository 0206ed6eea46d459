import { together, type Id } from '@switchyard/base';
import type { TriggerInstanceRecord } from '@switchyard/model';
import type { Store, TriggerInstanceEnd } from '@switchyard/storage';

/** What is asked of the store for every instance; those that are dealt with at the same time share a call. */
export interface InstanceCalls {
  get(id: Id): Promise<TriggerInstanceRecord | undefined>;
  end(end: TriggerInstanceEnd): Promise<void>;
}

export function createInstanceCalls({ triggerInstances }: Pick<Store, 'triggerInstances'>): InstanceCalls {
  return {
    get: together(async (ids: readonly Id[]) => {
      const found = new Map((await triggerInstances.getAll(ids)).map((record) => [record._id, record]));
      return ids.map((id) => found.get(id));
    }),
    end: together(async (ends: readonly TriggerInstanceEnd[]) => {
      await triggerInstances.endAll(ends);
      return ends.map(() => undefined);
    }),
  };
}
