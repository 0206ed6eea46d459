import { readFile, stat } from 'node:fs/promises';
import { fault, messageOf } from '@switchyard/base';
import { isReferenceFile, loadKeyRing, parseKeyRing, type KeyRing } from '@switchyard/storage';
import { parseReferenceKey, type ReferenceKey } from './reference-cipher';

export interface KeyFileOptions {
  readonly path: string;
  /** Whether to create a missing file. False when the operator configured the path: a missing file is then a mistake. */
  readonly mayCreate: boolean;
}

export interface KeyFile {
  readonly path: string;
  /**
   * Reads the current keys. Keys can be added while the system runs.
   * @returns undefined when the file does not exist
   * @throws Fault `storage.key-file`
   */
  read(): Promise<DatastoreKeys | undefined>;
  /** Like `read`, but creates a missing file if `mayCreate` is set. */
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

/** Changes whenever the file is written or replaced. */
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

/** The keys of one key file. */
export interface DatastoreKeys {
  /** Seals new values with its current key. */
  readonly ring: KeyRing;
  /** Open values that the reference encrypted. */
  readonly reference: readonly ReferenceKey[];
}

/**
 * Parses a key file: either the reference's, or ours, `{current, keys}`. Both may have `reference`, a list of the reference's key
 * files whose values must stay readable.
 * @throws Error that describes the problem without quoting the text
 */
function parseDatastoreKeys(json: string): DatastoreKeys {
  // Throws a readable error for invalid JSON.
  const ring = parseKeyRing(json);
  const file = JSON.parse(json) as Record<string, unknown>;
  const older = (file['reference'] ?? []) as Record<string, unknown>[];
  return { ring, reference: (isReferenceFile(file) ? [file, ...older] : older).map(parseReferenceKey) };
}
