import { deferred, type Deferred, type Id } from '@switchyard/base';
import type { Store } from '@switchyard/storage';

/** Takes the engines' mark off executions that have ended, those of one moment in one write. */
export function createSettler({ executions }: Pick<Store, 'executions'>): (id: Id) => Promise<void> {
  let batch: { ids: Set<Id>; done: Deferred<void> } | undefined;
  const flush = async () => {
    const { ids, done } = batch!;
    batch = undefined;
    await executions.settle([...ids], 'workflow-engine').then(() => done.resolve(), done.reject);
  };
  return (id) => {
    if (!batch) {
      batch = { ids: new Set(), done: deferred() };
      setImmediate(() => void flush());
    }
    batch.ids.add(id);
    return batch.done.promise;
  };
}
