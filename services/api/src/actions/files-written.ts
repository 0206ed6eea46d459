import { hostname } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '@switchyard/base';
import type { ActionRecord } from '@switchyard/model';
import { FILE_WRITTEN } from '@switchyard/triggers';
import type { ApiDependencies } from '../api-dependencies';

type Deps = Pick<ApiDependencies, 'store' | 'triggers' | 'logger'>;

/**
 * Registers files that were written into a pack: adds them to the pack's list and dispatches the trigger. The action
 * itself is already stored, so a failure here is only logged.
 * @param directory of the pack @param paths relative to the pack
 */
export async function filesWritten(
  deps: Deps,
  action: ActionRecord,
  directory: string,
  paths: readonly string[],
): Promise<void> {
  if (paths.length === 0) return;
  try {
    await addToPack(deps, action.pack, paths);
    for (const path of paths) await tell(deps, action, join(directory, path));
  } catch (error) {
    deps.logger.warn('Files were written, but the pack was not registered.', {
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

/** Dispatches the trigger for rules that distribute files. */
async function tell({ triggers }: Deps, action: ActionRecord, absolutePath: string): Promise<void> {
  const payload = { ref: action.ref, file_path: absolutePath, host_info: { hostname: hostname() } };
  await triggers.dispatch({ trigger: FILE_WRITTEN, payload, validate: false });
}
