import { relative } from 'node:path';
import { fault } from '@switchyard/base';
import type { DataFile } from '../actions/check-action';
import { ACTIONS } from '../actions/entry-point';
import { FileChangeFailed, changeFiles } from './change-files';
import { isDenied, pathProblem } from './file-failure';
import { refuseLinksOut, resolveInPack } from './pack-path';

/**
 * Writes the files that come with an action into its pack's `actions` folder, then runs `work` (which stores the record).
 * All or nothing: when a file cannot be written or `work` fails, the folder is as it was.
 * @param work gets the files' paths relative to the pack
 * @throws Fault `content.file-path`, `content.file-unusable` and `content.write-denied`; the latter two name the field
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
    if (!(error instanceof FileChangeFailed)) throw error;
    throw writeFault(error, `data_files.${changes.findIndex((change) => change === error.change)}.file_path`);
  }
}

/** What a client is told when a file could not be written. @param field the field of the body that names the file */
export function writeFault(failed: FileChangeFailed, field: string): Error {
  const { change, cause } = failed;
  const { path } = change;
  const options = { cause: failed, extra: { field } };
  if (isDenied(cause)) return fault('content.write-denied', { path }, options);
  const reason = pathProblem(cause);
  return reason === undefined ? failed : fault('content.file-unusable', { path, reason }, options);
}
