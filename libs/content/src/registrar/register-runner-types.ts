import { newId } from '@switchyard/base';
import { toUid } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import type { RunnerType } from '../actions/runner-lookup';
import { sameRecord } from './same-record';

/**
 * Stores the runner types of the program. What an administrator switched off stays off; a type that is as it was costs no
 * write. @returns how many there are
 */
export async function registerRunnerTypes(
  store: Pick<Store, 'runnerTypes'>,
  runnerTypes: readonly RunnerType[],
): Promise<number> {
  const stored = new Map((await store.runnerTypes.list()).map((record) => [record.name, record]));
  for (const runnerType of runnerTypes) {
    const existing = stored.get(runnerType.name);
    const record = {
      ...runnerType,
      uid: toUid('runner_type', runnerType.name),
      enabled: existing?.enabled ?? runnerType.enabled,
      _id: existing?._id ?? newId(),
    };
    if (!existing) await store.runnerTypes.insert(record);
    else if (!sameRecord(existing, record)) await store.runnerTypes.replace(record);
  }
  return runnerTypes.length;
}
