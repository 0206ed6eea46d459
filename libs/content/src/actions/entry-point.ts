import { isAbsolute, join, relative, resolve } from 'node:path';
import { issue, type Issue } from '../check/issue';

export const ACTIONS = 'actions';

/** Where an action's entry point lies. It is relative to the pack's `actions` folder and may be absolute. */
export const entryPointPath = (packDirectory: string, entryPoint: string): string =>
  resolve(packDirectory, ACTIONS, entryPoint);

export function checkEntryPoint(entryPoint: string, packDirectory: string): Issue[] {
  if (entryPoint === '' || isInside(packDirectory, entryPointPath(packDirectory, entryPoint))) return [];
  const actions = join(packDirectory, ACTIONS);
  return [
    issue(['entry_point'], `The entry point "${entryPoint}" lies outside its pack; it is relative to "${actions}".`),
  ];
}

/** Whether `path` is a place below `directory`, going by the names alone. */
export function isInside(directory: string, path: string): boolean {
  const way = relative(resolve(directory), resolve(path));
  return way !== '' && way !== '..' && !way.startsWith('../') && !isAbsolute(way) && !path.includes('\0');
}
