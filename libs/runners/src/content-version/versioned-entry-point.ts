import { join } from 'node:path';
import { entryPointOf, refuseLinkOut } from '../entry-point';
import type { RunAbilities, RunRequest } from '../runner-plugin';
import { createWorktree } from './git-worktree';

/** A script to run, and how to take away what was made for it. */
export interface VersionedEntryPoint {
  readonly path: string;
  /** The pack in which it lies. */
  readonly packDirectory: string;
  cleanUp?(): Promise<void>;
}

/** The script of an action, from the revision that its parameter `content_version` asks for. */
export async function versionedEntryPoint(request: RunRequest, { config }: RunAbilities): Promise<VersionedEntryPoint> {
  const { packDirectory, path } = entryPointOf(request);
  const { content_version: version, debug } = request.runnerParameters;
  if (typeof version !== 'string' || version === '') return { packDirectory, path: join(packDirectory, path) };
  const { environment } = config;
  const worktree = await createWorktree({ pack: request.action.pack, packDirectory, version, environment });
  try {
    refuseLinkOut(request.action, worktree.packDirectory, path);
  } catch (error) {
    await worktree.remove();
    throw error;
  }
  return {
    packDirectory: worktree.packDirectory,
    path: join(worktree.packDirectory, path),
    ...(debug !== true && { cleanUp: () => worktree.remove() }),
  };
}
