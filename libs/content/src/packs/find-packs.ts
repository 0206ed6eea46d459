import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fault } from '@switchyard/base';

/** A directory that may hold a pack; its name is the pack's ref. */
export interface PackPlace {
  name: string;
  directory: string;
}

export const PACK_FILE = 'pack.yaml';

/** What the directory of a pack may be called. */
export const PACK_NAME = /^\w[\w.-]*$/;

/**
 * The packs under some directories, by name. Where two directories hold a pack of one name, the earlier directory wins.
 * A directory without `pack.yaml` is no pack; a root that does not exist holds none.
 */
export async function findPacks(roots: readonly string[]): Promise<PackPlace[]> {
  const places = new Map<string, PackPlace>();
  for (const root of roots) {
    for (const name of await directoryNames(root)) {
      const directory = join(root, name);
      if (!places.has(name) && (await isFile(join(directory, PACK_FILE)))) places.set(name, { name, directory });
    }
  }
  return [...places.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The directory of a pack, with or without a `pack.yaml`. @returns undefined when no root has one */
export async function findPackDirectory(roots: readonly string[], name: string): Promise<string | undefined> {
  for (const root of PACK_NAME.test(name) ? roots : []) {
    const directory = join(root, name);
    if (await isDirectory(directory)) return directory;
  }
  return undefined;
}

/** @throws Fault `content.pack-not-on-disk` */
export async function requirePack(roots: readonly string[], name: string): Promise<PackPlace> {
  const candidates = PACK_NAME.test(name) ? roots.map((root) => join(root, name)) : [];
  for (const directory of candidates) {
    if (await isFile(join(directory, PACK_FILE))) return { name, directory };
  }
  const existing: string[] = [];
  for (const directory of candidates) if (await isDirectory(directory)) existing.push(directory);
  const cause = existing[0]
    ? `Directory "${existing[0]}" doesn't contain ${PACK_FILE}`
    : `Directory ${roots.map((root) => `"${root}/${name}"`).join(' or ')} doesn't exist`;
  throw fault('content.pack-not-on-disk', { pack: name, cause });
}

/**
 * The directory of a pack into which an action can go.
 * @throws Fault `content.no-pack-directory` when there is none, or it has no `actions` folder
 */
export async function requireActionsPack(roots: readonly string[], name: string): Promise<string> {
  for (const root of PACK_NAME.test(name) ? roots : []) {
    const directory = join(root, name);
    if (await isDirectory(directory)) {
      if (await isDirectory(join(directory, 'actions'))) return directory;
      break;
    }
  }
  throw fault('content.no-pack-directory', { pack: name, searched: roots.join(',') });
}

async function directoryNames(root: string): Promise<string[]> {
  try {
    return (await readdir(root)).filter((name) => !name.startsWith('.'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (entry) => entry.isFile(),
    () => false,
  );

const isDirectory = (path: string): Promise<boolean> =>
  stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
