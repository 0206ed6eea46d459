import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Lets Node.js keep compiled code in a directory. From 22.8 on. */
type Enable = (directory: string) => unknown;

const { enableCompileCache } = nodeModule as { enableCompileCache?: Enable };

/**
 * Keeps the compiled code of all modules that are loaded from now on, for the next start of a program. Compiling is a sixth of
 * the processor time of a start. The directory belongs to the user, because whoever writes to it can change what programs do.
 * @returns the directory; undefined if this version of Node.js has no such cache, or the user has no home directory
 */
export function cacheCompiledCode(
  environment: NodeJS.ProcessEnv,
  enable: Enable | undefined = enableCompileCache,
): string | undefined {
  const home = environment['HOME'] || homedir();
  const configured = environment['XDG_CACHE_HOME'];
  // Node.js would create the missing home directory of a service account, if it may.
  if (!enable || (!configured && !existsSync(home))) return undefined;
  const directory = join(configured || join(home, '.cache'), 'switchyard', 'compiled');
  // If the directory cannot be written, Node.js works without it.
  enable(directory);
  return directory;
}
