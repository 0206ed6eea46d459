import { readFile, stat } from 'node:fs/promises';
import { fault, messageOf } from '@switchyard/base';
import { loadKeyRing } from '@switchyard/storage';
import { parseDatastoreKeys, type DatastoreKeys } from './datastore-keys';

export interface KeyFileOptions {
  readonly path: string;
  /** Whether a missing file may be made: not where an operator has named one, which then is the wrong name. */
  readonly mayCreate: boolean;
}

export interface KeyFile {
  readonly path: string;
  /**
   * The keys as the file has them now: keys can be added while everything runs.
   * @returns undefined when there is no such file
   * @throws Fault `storage.key-file`
   */
  read(): Promise<DatastoreKeys | undefined>;
  /** Like `read`, and makes the file where it is missing and may be made. */
  readOrCreate(): Promise<DatastoreKeys | undefined>;
}

export function openKeyFile({ path, mayCreate }: KeyFileOptions): KeyFile {
  let known: { version: string; keys: DatastoreKeys } | undefined;
  const read = async () => {
    const version = await versionOf(path);
    if (version === undefined) return undefined;
    if (known?.version !== version) known = { version, keys: await parsed(path) };
    return known.keys;
  };
  return {
    path,
    read,
    async readOrCreate() {
      const keys = await read();
      if (keys !== undefined || !mayCreate) return keys;
      await loadKeyRing(path);
      return read();
    },
  };
}

/** Differs whenever the file was written or replaced. */
async function versionOf(path: string): Promise<string | undefined> {
  try {
    const { ino, mtimeMs, size } = await stat(path);
    return `${ino}/${mtimeMs}/${size}`;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw fault('storage.key-file', { path, text: messageOf(error) }, { cause: error });
  }
}

async function parsed(path: string): Promise<DatastoreKeys> {
  try {
    return parseDatastoreKeys(await readFile(path, 'utf8'));
  } catch (error) {
    throw fault('storage.key-file', { path, text: messageOf(error) }, { cause: error });
  }
}
