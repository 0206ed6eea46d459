import { relative } from 'node:path';
import { fault } from '@switchyard/base';
import type { ActionRecord } from '@switchyard/model';
import type { DataFile } from '../actions/check-action';
import { FileChangeFailed, changeFiles, isDenied, pathProblem, type FileChange } from './change-files';
import { ACTIONS, refuseLinksOut, resolveInPack, entryPointPath, isInside } from './pack-path';

/**
 * Writes the data files of an action into its pack's `actions` folder, then runs `work`, which stores the record. If a file
 * cannot be written or `work` fails, the folder is restored.
 * @param work receives the files' paths relative to the pack
 * @throws Fault `content.file-path`, `content.file-unusable`, `content.write-denied`; the latter two name the field
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

/** The error for a file that could not be written. @param field the field of the request that names the file */
export function writeFault(failed: FileChangeFailed, field: string): Error {
  const { change, cause } = failed;
  const { path } = change;
  const options = { cause: failed, extra: { field } };
  if (isDenied(cause)) return fault('content.write-denied', { path }, options);
  const reason = pathProblem(cause);
  return reason === undefined ? failed : fault('content.file-unusable', { path, reason }, options);
}

export type ActionFiles = Pick<ActionRecord, 'metadata_file' | 'entry_point'>;

/** Absolute paths of an action's metadata file and entry point, if it has them. The files need not exist. */
export function actionFilePaths(
  packDirectory: string,
  { metadata_file: metadata, entry_point: entry }: ActionFiles,
): string[] {
  const entryPath = entryPointPath(packDirectory, entry);
  return [
    ...(metadata === '' ? [] : [resolveInPack(packDirectory, metadata)]),
    ...(entry === '' || !isInside(packDirectory, entryPath) ? [] : [entryPath]),
  ];
}

/**
 * Removes the files of an action, then runs `work`, which removes the record. If either fails, the files are restored.
 * @throws Fault `content.delete-denied`
 */
export async function removeActionFiles<T>(
  packDirectory: string,
  action: ActionFiles,
  work: () => Promise<T>,
): Promise<T> {
  const changes = actionFilePaths(packDirectory, action).map((path): FileChange => ({ path }));
  try {
    return await changeFiles(changes, work);
  } catch (error) {
    if (!(error instanceof FileChangeFailed) || !isDenied(error.cause)) throw error;
    throw fault('content.delete-denied', { path: error.change.path }, { cause: error });
  }
}
