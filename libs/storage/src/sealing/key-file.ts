import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fault, messageOf } from '@switchyard/base';
import { formatKeyRing, newKeyRing, parseKeyRing, type KeyRing } from './key-ring';

/**
 * Reads the key file. If there is none, creates one that only its owner can read. Two processes that start together end up with
 * the same file.
 * @throws Fault `storage.key-file` naming the path
 */
export async function loadKeyRing(path: string): Promise<KeyRing> {
  return parsed(path, (await readIfThere(path)) ?? (await createKeyFile(path)));
}

/** Reads the key file without creating one. @returns undefined if there is none */
export async function readKeyRing(path: string): Promise<KeyRing | undefined> {
  const text = await readIfThere(path);
  return text === undefined ? undefined : parsed(path, text);
}

function parsed(path: string, text: string): KeyRing {
  try {
    return parseKeyRing(text);
  } catch (error) {
    throw fault('storage.key-file', { path, text: messageOf(error) }, { cause: error });
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw fault('storage.key-file', { path, text: messageOf(error) }, { cause: error });
  }
}

async function createKeyFile(path: string): Promise<string> {
  try {
    return await writeNewFile(path);
  } catch (error) {
    throw fault('storage.key-file', { path, text: messageOf(error) }, { cause: error });
  }
}

async function writeNewFile(path: string): Promise<string> {
  const draft = `${path}.${randomBytes(4).toString('hex')}`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    // Flushed before its first use: if a power failure lost the key, its secrets would be lost.
    await writeFile(draft, formatKeyRing(newKeyRing()), { mode: 0o600, flush: true });
    // A link appears atomically, and fails if another process was first.
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  return readFile(path, 'utf8');
}
