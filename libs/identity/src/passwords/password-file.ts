import { randomBytes } from 'node:crypto';
import { access, constants, open, readFile, realpath, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { fault, isFault, messageOf, SECOND_MS } from '@switchyard/base';

/** One line of an htpasswd file. Comments and other lines without a user are only `text`. */
export interface PasswordLine {
  readonly text: string;
  readonly user?: string;
  readonly hash?: string;
  /** This mark before the hash keeps it but makes logins impossible. */
  readonly disabled?: boolean;
}

const DISABLED = '!';

export function readPasswordLines(content: string): PasswordLine[] {
  const lines = content.split('\n');
  if (lines.at(-1)?.trim() === '') lines.pop();
  return lines.map((text) => {
    const line = text.trim();
    if (line === '' || line.startsWith('#')) return { text };
    const colon = line.indexOf(':');
    const hash = line.slice(colon + 1);
    const disabled = hash.startsWith(DISABLED);
    return { text, user: line.slice(0, Math.max(colon, 0)), hash: disabled ? hash.slice(1) : hash, disabled };
  });
}

export const passwordLine = (user: string, hash: string, disabled = false): PasswordLine => ({
  text: `${user}:${disabled ? DISABLED : ''}${hash}`,
  user,
  hash,
  disabled,
});

/** @returns the new lines, or undefined to leave the file alone */
export type PasswordFileChange = (lines: readonly PasswordLine[]) => readonly PasswordLine[] | undefined;

/**
 * Changes an htpasswd file atomically; mode and owner stay. If several processes change it at once, one succeeds and
 * the others are refused. A missing file is empty.
 * @returns whether anything was written
 * @throws Fault `auth.password-file-busy`, `auth.password-file-write`
 */
export async function changePasswordFile(path: string, change: PasswordFileChange): Promise<boolean> {
  try {
    // Keeps a symbolic link a link.
    const file = await realpath(path).catch(orMissing(path));
    return await withLock(`${file}.lock`, () => rewrite(file, change));
  } catch (error) {
    if (isFault(error)) throw error;
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw busy(path);
    throw fault('auth.password-file-write', { path, text: messageOf(error) }, { cause: error });
  }
}

const busy = (path: string) => fault('auth.password-file-busy', { path });

/** @throws the error, unless the file does not exist */
const orMissing =
  <T>(value: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT') return value;
    throw error;
  };

/** A change takes milliseconds, so an older lock belongs to a process that was killed. */
const STALE_LOCK_MS = 30 * SECOND_MS;

async function withLock<T>(lock: string, run: () => Promise<T>): Promise<T> {
  const { mtimeMs } = await stat(lock).catch(orMissing({ mtimeMs: Infinity }));
  if (Date.now() - mtimeMs > STALE_LOCK_MS) await rm(lock, { force: true });
  await (await open(lock, 'wx', 0o600)).close();
  try {
    return await run();
  } finally {
    await rm(lock, { force: true });
  }
}

async function rewrite(file: string, change: PasswordFileChange): Promise<boolean> {
  const before = await stat(file).catch(orMissing(undefined));
  const content = before ? await readFile(file, 'utf8') : '';
  const lines = change(readPasswordLines(content));
  if (lines === undefined) return false;
  // Replacing needs only the directory, but a file that was made read-only is meant to stay as it is.
  if (before) await access(file, constants.W_OK);
  const draft = `${file}.${randomBytes(4).toString('hex')}`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await fill(handle, lines, before);
    } finally {
      await handle.close();
    }
    // An editor does not know the lock.
    const now = await stat(file).catch(orMissing(undefined));
    if (passwordFileState(now) !== passwordFileState(before)) throw busy(file);
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
  return true;
}

async function fill(
  handle: FileHandle,
  lines: readonly PasswordLine[],
  before: { uid: number; gid: number; mode: number } | undefined,
): Promise<void> {
  await handle.writeFile(lines.map(({ text }) => `${text}\n`).join(''));
  if (before) {
    const { uid, gid } = await handle.stat();
    if (uid !== before.uid || gid !== before.gid) await handle.chown(before.uid, before.gid);
    await handle.chmod(before.mode & 0o7777);
  }
  await handle.sync();
}

/** Changes whenever the file is written or replaced. */
export const passwordFileState = (found: { mtimeMs: number; size: number; ino: number } | undefined): string =>
  found ? `${found.mtimeMs}/${found.size}/${found.ino}` : 'missing';
