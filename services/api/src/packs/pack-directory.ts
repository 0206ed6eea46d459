import { isFault } from '@switchyard/base';
import { requireActionsPack, requirePack } from '@switchyard/content';

/** The directory of a pack; undefined when it is not on this machine's disk. */
export async function packDirectory(roots: readonly string[], pack: string): Promise<string | undefined> {
  return (
    (await unlessMissing(async () => (await requirePack(roots, pack)).directory)) ??
    (await unlessMissing(() => requireActionsPack(roots, pack)))
  );
}

async function unlessMissing(find: () => Promise<string>): Promise<string | undefined> {
  try {
    return await find();
  } catch (error) {
    if (isFault(error)) return undefined;
    throw error;
  }
}
