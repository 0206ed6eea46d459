import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fault } from '@switchyard/base';

/** A directory that may contain a pack. Its name is the pack's ref. */
export interface PackPlace {
  name: string;
  directory: string;
}

export const PACK_FILE = 'pack.yaml';

/** Valid names of pack directories. */
export const PACK_NAME = /^\w[\w.-]*$/;

/** Valid refs of packs. A pack is only registered from a directory whose name is its ref. */
export const PACK_REF = /^[a-z0-9_]+$/;
export const RESERVED_PACK_REF = '_global';

/**
 * Finds the packs under the root directories, sorted by name. If two roots contain a pack of the same name, the first wins.
 * A directory without `pack.yaml` is not a pack; missing roots are ignored.
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

/** Finds the directory of a pack, with or without a `pack.yaml`. @returns undefined when there is none */
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
 * Finds the directory of a pack that can hold actions.
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

/** Lists the files of a pack, relative to its directory and sorted, without `.git` and compiled Python. */
export async function listPackFiles(directory: string, below = ''): Promise<string[]> {
  const files: string[] = [];
  for (const entry of await readdir(join(directory, below), { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) {
      if (entry.name !== '.git') files.push(...(await listPackFiles(directory, path)));
    } else if (!entry.name.endsWith('.pyc')) files.push(path);
  }
  return below === '' ? files.sort() : files;
}
