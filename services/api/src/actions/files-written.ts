import { hostname } from 'node:os';
import { messageOf, newId } from '@switchyard/base';
import { triggerInstance } from '@switchyard/messaging';
import type { ActionRecord } from '@switchyard/model';
import type { ApiDependencies } from '../api-dependencies';

/** Fires for each file that comes with an action, so that rules can distribute it. */
const FILE_WRITTEN = 'core.st2.action.file_written';

type Deps = Pick<ApiDependencies, 'store' | 'bus' | 'clock' | 'logger'>;

/**
 * Follows up on files that were written into a pack: adds them to the pack's list and tells the rules. The action itself
 * is stored by now, so that a failure here is logged and no more.
 * @param paths relative to the pack
 */
export async function filesWritten(deps: Deps, action: ActionRecord, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  try {
    await addToPack(deps, action.pack, paths);
    for (const path of paths) await tell(deps, action, path);
  } catch (error) {
    deps.logger.warn('Files were written that the system was not told of.', {
      action: action.ref,
      paths,
      error: messageOf(error),
    });
  }
}

async function addToPack({ store }: Deps, ref: string, paths: readonly string[]): Promise<void> {
  const pack = await store.packs.byKey(ref);
  if (pack) await store.packs.replace({ ...pack, files: [...new Set([...pack.files, ...paths])] });
}

async function tell({ store, bus, clock }: Deps, action: ActionRecord, path: string): Promise<void> {
  const now = clock.nowMicros();
  const id = newId();
  await store.triggerInstances.insertOnce({
    _id: id,
    trigger: FILE_WRITTEN,
    payload: { ref: action.ref, file_path: path, host_info: { hostname: hostname() } },
    occurrence_time: now,
    status: 'pending',
    due: ['rules-engine'],
    due_at: now,
  });
  await bus.publisher().publish(triggerInstance({ id, ref: FILE_WRITTEN }));
}
