import { isAbsolute, relative, resolve, sep } from 'node:path';
import { fault } from '@switchyard/base';
import type { RunRequest } from './runner-plugin';

/** Where an action's script lies. */
export interface EntryPoint {
  readonly packDirectory: string;
  /** Relative to the pack, such as `actions/scripts/greet.sh`. */
  readonly path: string;
}

/** The entry point of an action, which has to lie in its pack. Whether the file exists is for its runner to find out. */
export function entryPointOf({ action, packDirectory }: RunRequest): EntryPoint {
  if (action.entry_point === '') throw fault('runner.missing-entry-point');
  if (packDirectory === undefined) throw fault('runner.no-pack-directory', { ref: action.ref, pack: action.pack });
  const path = relative(packDirectory, resolve(packDirectory, 'actions', action.entry_point));
  const leavesPack = path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path);
  if (leavesPack || action.entry_point.split(/[\\/]/).includes('..')) {
    throw fault('runner.entry-point-outside', { ref: action.ref, entryPoint: action.entry_point });
  }
  return { packDirectory, path };
}
