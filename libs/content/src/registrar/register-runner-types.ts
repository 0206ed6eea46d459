import { toUid } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import type { RunnerType } from '../actions/runner-lookup';
import { writeRecord } from './write-record';

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
    const { name } = runnerType;
    const existing = stored.get(name);
    const draft = { ...runnerType, uid: toUid('runner_type', name), enabled: existing?.enabled ?? runnerType.enabled };
    await writeRecord(store.runnerTypes, name, draft, existing);
  }
  return runnerTypes.length;
}
