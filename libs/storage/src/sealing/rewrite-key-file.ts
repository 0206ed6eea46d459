import { randomBytes } from 'node:crypto';
import { chown, open, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fault, messageOf } from '@switchyard/base';

const OTHERS = 0o077;

/**
 * Replaces the content of a key file atomically. Readers see either the old or the new one, also after a power failure. The file
 * keeps its owner.
 * @throws Fault `storage.key-file` if it is missing, open to other users, or cannot be written
 */
export async function rewriteKeyFile<T>(
  path: string,
  change: (json: string) => { json: string; result: T },
): Promise<T> {
  try {
    // A link stays a link.
    const target = await realpath(path);
    const { mode, uid, gid } = await stat(target);
    if ((mode & OTHERS) !== 0)
      throw new Error(
        `its mode is ${(mode & 0o777).toString(8)}, expected 600, because other users could read the keys`,
      );
    const before = await readFile(target, 'utf8');
    const { json, result } = change(before);
    if (json !== before) await replaceFile(target, json, { uid, gid });
    return result;
  } catch (error) {
    throw fault('storage.key-file', { path, text: reasonOf(error) }, { cause: error });
  }
}

async function replaceFile(target: string, json: string, { uid, gid }: { uid: number; gid: number }): Promise<void> {
  const draft = `${target}.${randomBytes(4).toString('hex')}`;
  try {
    await writeFile(draft, json, { mode: 0o600, flag: 'wx', flush: true });
    const made = await stat(draft);
    if (made.uid !== uid || made.gid !== gid) await chown(draft, uid, gid);
    await rename(draft, target);
  } finally {
    await rm(draft, { force: true });
  }
  const directory = await open(dirname(target));
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

function reasonOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'it does not exist';
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return `this process may not replace it (${code}); the file and its directory must be writable for the owner of the keys`;
  return messageOf(error);
}
