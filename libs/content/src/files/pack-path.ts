import { realpath } from 'node:fs/promises';
import { dirname, join, posix, resolve } from 'node:path';
import { fault } from '@switchyard/base';
import { isInside } from '../actions/entry-point';
import { isMissing } from './file-failure';

/**
 * The absolute path of a file that a client names relative to a pack.
 * @throws Fault `content.file-path` for a path that is absolute, not normalised, or leads out of the folder
 */
export function resolveInPack(packDirectory: string, path: string, folder = ''): string {
  const base = join(packDirectory, folder);
  const absolute = resolve(base, path);
  const normal =
    path !== '' &&
    !posix.isAbsolute(path) &&
    posix.normalize(path) === path &&
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
 * Makes sure that links do not lead out of the pack either. The file itself need not exist.
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
    if (!isMissing(error) || dirname(path) === path) throw error;
    return realOf(dirname(path));
  }
}
