import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fault, messageOf, randomHex } from '@switchyard/base';
import { PACK_NAME } from '../packs/find-packs';

/** Readable for its owner and for nobody outside of its group: it may hold secrets. */
const MODE = 0o640;
const DIRECTORY_MODE = 0o750;

/** Where the configuration of a pack lies. */
export const configFile = (directory: string, pack: string): string => join(directory, `${pack}.yaml`);

/** The names of files are not much longer anywhere. */
const LONGEST_NAME = 200;

/** The same for a name that somebody has sent. @throws Fault `pack.config-name` for what cannot be the name of a pack */
export function namedConfigFile(directory: string, pack: string): string {
  if (!PACK_NAME.test(pack) || pack.length > LONGEST_NAME) throw fault('pack.config-name', { pack });
  return configFile(directory, pack);
}

/**
 * Replaces a file at once. The new text is on the disk before `store` runs, and takes the name afterwards: when any of that
 * fails, the file is as it was.
 * @param store keeps what the file says elsewhere @returns undoes that, for the case that the file cannot take its name
 * @throws Fault `pack.config-write`, besides what `store` throws
 */
export async function replaceFile(
  path: string,
  text: string,
  store: () => Promise<() => Promise<void>>,
): Promise<void> {
  const staged = join(dirname(path), `.${randomHex(8)}.tmp`);
  try {
    await unlessWritable(path, () => writeNew(staged, text, path));
    const undo = await store();
    await unlessWritable(path, () => rename(staged, path)).catch(async (error: unknown) => {
      await undo();
      throw error;
    });
  } finally {
    // Where it cannot be removed, it could not be written either, and that is what is told.
    await rm(staged, { force: true }).catch(() => undefined);
  }
}

async function writeNew(staged: string, text: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: DIRECTORY_MODE });
  const file = await open(staged, 'wx', await modeOf(path));
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Of a file that somebody has made stricter, that stays. */
const modeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ mode }) => mode & MODE,
    () => MODE,
  );

async function unlessWritable<T>(path: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw fault('pack.config-write', { path, reason: messageOf(error) }, { cause: error });
  }
}
