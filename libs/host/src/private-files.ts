import { chmod, lstat, readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { messageOf } from '@switchyard/base';
import type { Paths } from '@switchyard/config';
import type { Logger } from '@switchyard/telemetry';

const OTHERS = 0o077;

/**
 * Takes the group's and everybody else's rights from what lies directly in the base directory: store, keys, logs,
 * configurations, the password file. A closed directory closes all that lies in it. Packs and their virtual environments
 * stay as they are, since commands run as the system user read them; so do the base directory itself, through which
 * those are reached, and symbolic links.
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
      logger.info('Closed to other users of this machine.', { path });
    } catch (error) {
      logger.warn('Other users of this machine may read this, and it could not be closed to them.', {
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

/** Whether `inner` is `outer` or lies in it. */
function contains(outer: string, inner: string): boolean {
  const path = relative(outer, inner);
  return path !== '..' && !path.startsWith(`..${sep}`);
}
