import { relative } from 'node:path';
import { fault } from '@switchyard/base';
import type { DataFile } from '../actions/check-action';
import { ACTIONS } from '../actions/entry-point';
import { changeFiles } from './change-files';
import { isDenied } from './denied';
import { refuseLinksOut, resolveInPack } from './pack-path';

/**
 * Writes the files that come with an action into its pack's `actions` folder, then runs `work` (which stores the record).
 * All or nothing: when a file cannot be written or `work` fails, the folder is as it was.
 * @param work gets the files' paths relative to the pack
 * @throws Fault `content.file-path`, `content.write-denied`
 */
export async function writeDataFiles<T>(
  packDirectory: string,
  files: readonly DataFile[],
  work: (paths: string[]) => Promise<T>,
): Promise<T> {
  const changes = files.map(({ file_path, content }) => ({
    path: resolveInPack(packDirectory, file_path, ACTIONS),
    content,
  }));
  for (const { path } of changes) await refuseLinksOut(packDirectory, path);
  try {
    return await changeFiles(changes, () => work(changes.map(({ path }) => relative(packDirectory, path))));
  } catch (error) {
    if (isDenied(error)) throw fault('content.write-denied', { path: error.path ?? packDirectory }, { cause: error });
    throw error;
  }
}
