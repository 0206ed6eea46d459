import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type { Clock } from '@switchyard/base';
import { entryPointPath, findPackDirectory, refuseLinksOut } from '@switchyard/content';
import type { ActionRecord, WorkflowDefinitionRecord } from '@switchyard/model';

/** The definitions of workflows as they lie on disk. */
export interface DefinitionFiles {
  /**
   * The text that an action names at present.
   * @returns undefined when the directory of its pack is not there
   * @throws what reading the file throws
   */
  read(
    action: Pick<ActionRecord, 'pack' | 'entry_point'>,
    runner: string,
  ): Promise<WorkflowDefinitionRecord | undefined>;
}

interface KnownFile {
  readonly path: string;
  readonly foundMs: number;
  /** Tells whether the file has changed since. */
  readonly mark: string;
  readonly record: WorkflowDefinitionRecord;
}

const CACHED = 500;
/** Where a pack lies is looked for again after this time; whether the file has changed is asked each time. */
const FOUND_MS = 5000;

/** @param roots directories of packs; the first that holds a pack wins */
export function createDefinitionFiles(roots: readonly string[], clock: Pick<Clock, 'monotonicMs'>): DefinitionFiles {
  const files = new Map<string, KnownFile>();

  async function isUnchanged({ path, foundMs, mark }: KnownFile): Promise<boolean> {
    return clock.monotonicMs() - foundMs < FOUND_MS && (await markOf(path).catch(() => undefined)) === mark;
  }

  return {
    async read({ pack, entry_point: entryPoint }, runner) {
      const key = JSON.stringify([pack, entryPoint, runner]);
      const known = files.get(key);
      if (known && (await isUnchanged(known))) return known.record;
      files.delete(key);
      const directory = await findPackDirectory(roots, pack);
      if (directory === undefined) return undefined;
      const path = entryPointPath(directory, entryPoint);
      await refuseLinksOut(directory, path);
      // Before the text: a change in between shows next time.
      const mark = await markOf(path);
      const record = recordOf(runner, await readFile(path, 'utf8'));
      if (files.size >= CACHED) files.delete(files.keys().next().value as string);
      files.set(key, { path, foundMs: clock.monotonicMs(), mark, record });
      return record;
    },
  };
}

async function markOf(path: string): Promise<string> {
  const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
  return `${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}

/** Stored once by content. */
const recordOf = (runner: string, text: string): WorkflowDefinitionRecord => ({
  _id: createHash('sha256').update(`${runner}\n${text}`).digest('hex'),
  runner,
  text,
});
