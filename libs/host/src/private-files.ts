import { chmod, lstat, readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { messageOf } from '@switchyard/base';
import type { Paths } from '@switchyard/config';
import type { Logger } from '@switchyard/telemetry';

const OTHERS = 0o077;

/**
 * Removes the permissions of group and others from the direct children of the base directory: store, keys, logs,
 * configurations, the password file. A closed directory protects everything in it. Packs and their virtual environments
 * keep their permissions, since commands run as the system user read them. So do the base directory itself, through
 * which they are reached, and symbolic links.
 */
export async function closeToOthers(where: Paths, logger: Pick<Logger, 'info' | 'warn'>): Promise<void> {
  const shared = [...where.packsBasePaths, where.virtualenvs];
  for (const name of await namesIn(where.base)) {
    const path = join(where.base, name);
    if (shared.some((directory) => contains(path, directory))) continue;
    try {
      const found = await lstat(path);
      if (found.isSymbolicLink() || (found.mode & OTHERS) === 0) continue;
      await chmod(path, found.mode & 0o7777 & ~OTHERS);
      logger.info('Restricted access to the owner.', { path });
    } catch (error) {
      logger.warn('Other users of this machine may read this, and access could not be restricted.', {
        path,
        error: messageOf(error),
      });
    }
  }
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Whether `inner` equals `outer` or lies in it. */
function contains(outer: string, inner: string): boolean {
  const path = relative(outer, inner);
  return path !== '..' && !path.startsWith(`..${sep}`);
}
