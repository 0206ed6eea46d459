import { join } from 'node:path';
import type { ParameterDefinitions } from '@switchyard/model';
import { entryPointOf, refuseLinkOut } from '../entry-point';
import type { RunAbilities, RunRequest } from '../runner-plugin';
import { createWorktree } from './git-worktree';

/** A script to run, and how to clean up after it. */
export interface VersionedEntryPoint {
  readonly path: string;
  /** The pack that contains it. */
  readonly packDirectory: string;
  cleanUp?(): Promise<void>;
}

/** Finds the script of an action, in the revision named by the parameter `content_version`. */
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

/** Parameters of runners that can run a script from another revision of its pack. */
export const contentVersionParameters = {
  debug: {
    type: 'boolean',
    description: 'Keep the files of a run on disk for inspection.',
    required: false,
    default: false,
  },
  content_version: {
    type: 'string',
    description:
      'The git revision of the pack whose script is run: a branch, a tag or a commit. Empty: the files as they are.',
    required: false,
  },
} as const satisfies ParameterDefinitions;
