import type { Stats } from 'node:fs';
import { lstat, mkdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf, randomHex } from '@switchyard/base';

/** `content` undefined: the file goes away, if it is there. Paths are absolute. */
export interface FileChange {
  path: string;
  content?: string | Buffer;
}

/** One change could not be made; `cause` is what the operating system said. */
export class FileChangeFailed extends Error {
  override readonly name = 'FileChangeFailed';
  constructor(
    readonly change: FileChange,
    cause: unknown,
  ) {
    super(`"${change.path}" could not be changed: ${messageOf(cause)}`, { cause });
  }
}

/**
 * Changes files all or none: `work` runs when all changes are in place, and when anything fails, `work` included, the
 * directories are as they were. New contents are complete before they take their names. Directories are never replaced
 * or removed.
 * @throws FileChangeFailed, besides what `work` throws
 */
export async function changeFiles<T>(changes: readonly FileChange[], work: () => Promise<T>): Promise<T> {
  const undo: (() => Promise<unknown>)[] = [];
  const leftovers: string[] = [];
  try {
    for (const change of changes) {
      await apply(change, undo, leftovers).catch((error: unknown) => {
        throw new FileChangeFailed(change, error);
      });
    }
    const result = await work();
    undo.length = 0;
    return result;
  } finally {
    for (const step of undo.reverse()) await step();
    // By now the change has counted or not; a leftover that cannot be removed says nothing about that.
    for (const path of leftovers) await rm(path, { force: true }).catch(() => undefined);
  }
}

async function apply(
  { path, content }: FileChange,
  undo: (() => Promise<unknown>)[],
  leftovers: string[],
): Promise<void> {
  const staged = beside(path);
  if (content !== undefined) {
    await makeDirectory(dirname(path), undo);
    undo.push(() => rm(staged, { force: true }).catch(() => undefined));
    await writeFile(staged, content);
  }
  const present = await entryOf(path);
  if (present?.isDirectory()) {
    // What names a directory names no file: there is nothing to remove, and nothing that could be replaced.
    if (content === undefined) return;
    throw Object.assign(new Error(`${path} is a directory`), { code: 'EISDIR' });
  }
  if (present) {
    const kept = beside(path);
    await rename(path, kept);
    leftovers.push(kept);
    undo.push(() => rename(kept, path));
  }
  if (content === undefined) return;
  await rename(staged, path);
  undo.push(() => rm(path, { force: true }));
}

/** Without the name of the file, which may be as long as names can be. */
const beside = (path: string): string => join(dirname(path), `.${randomHex(8)}.tmp`);

const entryOf = (path: string): Promise<Stats | undefined> => lstat(path).catch(() => undefined);

/** One level at a time, so that those above a name that cannot be made go away again. */
async function makeDirectory(directory: string, undo: (() => Promise<unknown>)[]): Promise<void> {
  try {
    await mkdir(directory);
    // Unless somebody else has put something there.
    undo.push(() => rmdir(directory).catch(() => undefined));
  } catch (error) {
    if ((await stat(directory).catch(() => undefined))?.isDirectory()) return;
    const parent = dirname(directory);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === directory) throw error;
    await makeDirectory(parent, undo);
    await makeDirectory(directory, undo);
  }
}
