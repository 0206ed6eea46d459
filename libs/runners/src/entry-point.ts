import { realpathSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fault } from '@switchyard/base';
import type { RunRequest } from './runner-plugin';

/** The location of an action's script. */
export interface EntryPoint {
  readonly packDirectory: string;
  /** Relative to the pack, such as `actions/scripts/greet.sh`. */
  readonly path: string;
}

/**
 * Finds the entry point of an action, which must be inside its pack, also through symbolic links. Does not check that the
 * file exists.
 * @throws Fault `runner.missing-entry-point`, `runner.no-pack-directory`, `runner.entry-point-outside`
 */
export function entryPointOf({ action, packDirectory }: RunRequest): EntryPoint {
  if (action.entry_point === '') throw fault('runner.missing-entry-point');
  if (packDirectory === undefined) throw fault('runner.no-pack-directory', { ref: action.ref, pack: action.pack });
  const path = relative(packDirectory, resolve(packDirectory, 'actions', action.entry_point));
  if (leadsOut(path) || action.entry_point.split(/[\\/]/).includes('..')) {
    throw fault('runner.entry-point-outside', { ref: action.ref, entryPoint: action.entry_point });
  }
  refuseLinkOut(action, packDirectory, path);
  return { packDirectory, path };
}

/** The pack itself may be a link. @throws Fault `runner.entry-point-outside` */
export function refuseLinkOut(
  { ref, entry_point: entryPoint }: RunRequest['action'],
  packDirectory: string,
  path: string,
): void {
  const [pack, file] = [realPath(packDirectory), realPath(join(packDirectory, path))];
  if (pack !== undefined && file !== undefined && leadsOut(relative(pack, file))) {
    throw fault('runner.entry-point-outside', { ref, entryPoint });
  }
}

/** Whether a relative path leaves its base directory. */
const leadsOut = (path: string): boolean => path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path);

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
