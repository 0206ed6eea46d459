import { realpathSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fault } from '@switchyard/base';
import type { RunRequest } from './runner-plugin';

/** Where an action's script lies. */
export interface EntryPoint {
  readonly packDirectory: string;
  /** Relative to the pack, such as `actions/scripts/greet.sh`. */
  readonly path: string;
}

/**
 * The entry point of an action, which has to lie in its pack, also behind symbolic links. Whether the file exists is for
 * its runner to find out.
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

/** The pack may be reached through a link itself. @throws Fault `runner.entry-point-outside` */
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

/** Whether a relative path leads out of the directory that it is relative to. */
const leadsOut = (path: string): boolean => path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path);

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
