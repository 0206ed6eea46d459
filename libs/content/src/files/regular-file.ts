import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { isMissingFile } from './change-files';

/** Opening a named pipe waits for somebody who writes into it, unless it is opened like this. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;

/** Reads a file. @throws Error if it is missing, or is not a regular file: reading a pipe or a device may never end */
export function readRegularFile(path: string): Buffer {
  const descriptor = openSync(path, FLAGS);
  try {
    if (!fstatSync(descriptor).isFile()) throw new Error('This is not a regular file.');
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** @returns undefined for what `readRegularFile` rejects, such as a link to nowhere that an editor left */
export async function readIfRegularFile(path: string): Promise<Buffer | undefined> {
  const handle = await open(path, FLAGS).catch((error: unknown) => {
    if (isMissingFile(error)) return undefined;
    throw error;
  });
  try {
    return (await handle?.stat())?.isFile() ? await handle?.readFile() : undefined;
  } finally {
    await handle?.close();
  }
}
