import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A program as it is on the disk at present. */
export interface ProgramFile {
  readonly path: string;
  /** Changes when the file that the path leads to does. */
  readonly version: string;
}

/**
 * Finds a program as a shell does.
 * @param searched directories, separated by colons, for a name without any
 */
export async function findProgram(name: string, searched = ''): Promise<ProgramFile | undefined> {
  const directories = searched.split(':').filter((directory) => directory.startsWith('/'));
  const places = name.includes('/') ? [name] : directories.map((directory) => join(directory, name));
  for (const path of places) {
    const version = await versionOf(path);
    if (version !== undefined && (await isExecutable(path))) return { path, version };
  }
  return undefined;
}

/** Undefined when there is no such file. */
export async function versionOf(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() === true ? `${found.ino}-${found.mtimeMs}` : undefined;
}

const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
