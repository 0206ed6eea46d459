import { fault } from '@switchyard/base';
import type { ActionRecord } from '@switchyard/model';
import { entryPointPath, isInside } from '../actions/entry-point';
import { FileChangeFailed, changeFiles, type FileChange } from './change-files';
import { isDenied } from './file-failure';
import { resolveInPack } from './pack-path';

export type ActionFiles = Pick<ActionRecord, 'metadata_file' | 'entry_point'>;

/** The files of an action: metadata and entry point, absolute, as far as it has them. They need not exist. */
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
 * Removes the files of an action, then runs `work` (which removes the record). When either fails, the files are back.
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
