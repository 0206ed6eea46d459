import type { Stats } from 'node:fs';
import { lstat, mkdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf, randomHex } from '@switchyard/base';

/** `content` undefined removes the file, if it exists. Paths are absolute. */
export interface FileChange {
  path: string;
  content?: string | Buffer;
}

/** A change failed; `cause` is the error of the operating system. */
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
 * Applies all changes or none: `work` runs once all changes are in place, and if anything fails, including `work`, they are
 * undone. New files are written completely before they get their names. Directories are never replaced or removed.
 * @throws FileChangeFailed, and whatever `work` throws
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
    // The outcome is decided by now; failing to remove a leftover does not change it.
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
    // A directory is not a file: there is nothing to remove, and it must not be replaced.
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

/** Does not include the file's name, which may already have the maximum length. */
const beside = (path: string): string => join(dirname(path), `.${randomHex(8)}.tmp`);

const entryOf = (path: string): Promise<Stats | undefined> => lstat(path).catch(() => undefined);

/** Creates one level at a time, so that the created parents can be removed if a deeper level fails. */
async function makeDirectory(directory: string, undo: (() => Promise<unknown>)[]): Promise<void> {
  try {
    await mkdir(directory);
    // Fails harmlessly if another process has put something there.
    undo.push(() => rmdir(directory).catch(() => undefined));
  } catch (error) {
    if ((await stat(directory).catch(() => undefined))?.isDirectory()) return;
    const parent = dirname(directory);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === directory) throw error;
    await makeDirectory(parent, undo);
    await makeDirectory(directory, undo);
  }
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException | undefined)?.code ?? '';

/** Whether the operating system denied access to a file. */
export const isDenied = (error: unknown): boolean => ['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error));

/**
 * Reasons why a path can never be a file, whatever the permissions or free space. Names come from requests, so these are
 * the caller's mistakes.
 */
const REASONS: Readonly<Record<string, string>> = {
  ENAMETOOLONG: 'the name is too long',
  ENOTDIR: 'a part of the path is a file and not a directory',
  EEXIST: 'a part of the path is a file and not a directory',
  EISDIR: 'it is a directory',
  ELOOP: 'its links form a loop',
  EINVAL: 'the file system does not allow the name',
  EILSEQ: 'the file system does not allow the name',
  ERR_INVALID_ARG_VALUE: 'the name contains a null character',
};

/** @returns undefined when the failure has nothing to do with the path */
export const pathProblem = (error: unknown): string | undefined => REASONS[codeOf(error)];

/** Whether reading failed because there is no regular file at the path. */
export const isMissingFile = (error: unknown): boolean =>
  ['ENOENT', 'ENXIO', 'ENODEV'].includes(codeOf(error)) || pathProblem(error) !== undefined;
