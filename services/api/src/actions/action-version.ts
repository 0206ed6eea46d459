import { createHash } from 'node:crypto';
import { fault, isFault } from '@switchyard/base';
import { readEntryPoint } from '@switchyard/content';
import type { RouteRequest } from '@switchyard/http';
import type { ActionRecord } from '@switchyard/model';
import { actionView } from './action-view';
import { packDirectory } from '../packs/pack-directory';

/** The ETag of an action together with the file that it runs. It changes when either of them changes. */
export function versionTag(action: ActionRecord, content: Buffer): string {
  const hash = createHash('sha256')
    .update(JSON.stringify(actionView(action)))
    .update('\0')
    .update(content);
  return `"${hash.digest('base64url')}"`;
}

/**
 * Refuses to change an action if the request has an `If-Match` header with another version.
 * @param action as it is stored now
 * @throws Fault `resource.outdated`
 */
export async function refuseOutdated(
  packRoots: readonly string[],
  action: ActionRecord,
  { header }: Pick<RouteRequest, 'header'>,
): Promise<void> {
  const expected = header('if-match')
    ?.split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''));
  if (expected === undefined || expected.includes('*')) return;
  const content = await contentOf(packRoots, action);
  if (!content || !expected.includes(versionTag(action, content))) throw fault('resource.outdated', { id: action.ref });
}

/** Undefined if there is no such file. */
async function contentOf(packRoots: readonly string[], action: ActionRecord): Promise<Buffer | undefined> {
  try {
    const directory = await packDirectory(packRoots, action.pack);
    return directory === undefined ? undefined : (await readEntryPoint(directory, action)).content;
  } catch (error) {
    if (isFault(error)) return undefined;
    throw error;
  }
}
