import { lstat, mkdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { randomHex } from '@switchyard/base';

/** `content` undefined: the file goes away, if it is there. Paths are absolute. */
export interface FileChange {
  path: string;
  content?: string | Buffer;
}

/**
 * Changes files all or none: `work` runs when all changes are in place, and when anything fails, `work` included, the
 * directories are as they were. New contents are complete before they take their names.
 */
export async function changeFiles<T>(changes: readonly FileChange[], work: () => Promise<T>): Promise<T> {
  const undo: (() => Promise<unknown>)[] = [];
  const leftovers: string[] = [];
  try {
    for (const change of changes) await apply(change, undo, leftovers);
    const result = await work();
    undo.length = 0;
    return result;
  } finally {
    for (const step of undo.reverse()) await step();
    for (const path of leftovers) await rm(path, { force: true });
  }
}

async function apply(
  { path, content }: FileChange,
  undo: (() => Promise<unknown>)[],
  leftovers: string[],
): Promise<void> {
  const staged = beside(path);
  if (content !== undefined) {
    const made = await mkdir(dirname(path), { recursive: true });
    if (made !== undefined) undo.push(() => removeEmpty(dirname(path), made));
    leftovers.push(staged);
    await writeFile(staged, content);
  }
  if (await exists(path)) {
    const kept = beside(path);
    await rename(path, kept);
    leftovers.push(kept);
    undo.push(() => rename(kept, path));
  }
  if (content === undefined) return;
  await rename(staged, path);
  undo.push(() => rm(path, { force: true }));
}

const beside = (path: string): string => join(dirname(path), `.${basename(path)}.${randomHex(4)}.tmp`);

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** Removes directories from the deepest up to `top`, as far as they are empty. */
async function removeEmpty(deepest: string, top: string): Promise<void> {
  for (let directory = deepest; directory.startsWith(top); directory = dirname(directory)) {
    try {
      await rmdir(directory);
    } catch {
      return;
    }
  }
}
