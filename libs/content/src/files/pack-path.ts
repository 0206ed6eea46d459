import { realpath } from 'node:fs/promises';
import { dirname, join, posix, resolve, isAbsolute, relative } from 'node:path';
import { fault } from '@switchyard/base';
import { issue, type Issue } from '../check/issue';
import { isMissingFile } from './change-files';

/**
 * Resolves a path from a request relative to a pack.
 * @throws Fault `content.file-path` for a path that is absolute, not normalised, or outside of the folder
 */
export function resolveInPack(packDirectory: string, path: string, folder = ''): string {
  const base = join(packDirectory, folder);
  const absolute = resolve(base, path);
  const normal =
    path !== '' &&
    !posix.isAbsolute(path) &&
    posix.normalize(path) === path &&
    !path.endsWith('/') &&
    !path.includes('\\') &&
    !path.startsWith('..');
  if (normal && isInside(base, absolute)) return absolute;
  const shown = folder === '' ? 'directory' : `${folder} directory (${base}/)`;
  throw fault('content.file-path', {
    path: posix.join(folder, '.') === '.' ? path : `${folder}/${path}`,
    folder: shown,
  });
}

/**
 * Refuses paths that leave the pack through links. The file itself need not exist.
 * @throws Fault `content.file-path`
 */
export async function refuseLinksOut(packDirectory: string, absolute: string): Promise<void> {
  const pack = await realpath(packDirectory);
  const real = await realOf(absolute);
  if (real !== pack && !isInside(pack, real)) {
    throw fault('content.file-path', { path: absolute, folder: `directory (${packDirectory}/)` });
  }
}

async function realOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isMissingFile(error) || dirname(path) === path) throw error;
    return realOf(dirname(path));
  }
}

export const ACTIONS = 'actions';

/** The path of an action's entry point, which may be absolute or relative to the pack's `actions` folder. */
export const entryPointPath = (packDirectory: string, entryPoint: string): string =>
  resolve(packDirectory, ACTIONS, entryPoint);

export function checkEntryPoint(entryPoint: string, packDirectory: string): Issue[] {
  if (entryPoint === '' || isInside(packDirectory, entryPointPath(packDirectory, entryPoint))) return [];
  const actions = join(packDirectory, ACTIONS);
  return [
    issue(['entry_point'], `The entry point "${entryPoint}" lies outside its pack; it is relative to "${actions}".`),
  ];
}

/** Whether `path` is below `directory`, judging by names only. */
export function isInside(directory: string, path: string): boolean {
  const way = relative(resolve(directory), resolve(path));
  return way !== '' && way !== '..' && !way.startsWith('../') && !isAbsolute(way) && !path.includes('\0');
}
