import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';

/** A program file in its current version. */
export interface ProgramFile {
  readonly path: string;
  /** Changes when the file changes. */
  readonly version: string;
}

/**
 * Finds a program like a shell.
 * @param searched directories, separated by colons, for a name without any
 */
export function findProgram(name: string, searched = ''): ProgramFile | undefined {
  const directories = searched.split(':').filter((directory) => directory.startsWith('/'));
  const places = name.includes('/') ? [name] : directories.map((directory) => join(directory, name));
  for (const path of places) {
    const version = versionOf(path);
    if (version !== undefined && isExecutable(path)) return { path, version };
  }
  return undefined;
}

/** Not asynchronous, which takes twenty times as long. @returns undefined when there is no such file */
export function versionOf(path: string): string | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found?.isFile() === true ? `${found.ino}-${found.mtimeMs}` : undefined;
  } catch {
    return undefined;
  }
}

export const isSameProgram = (one: ProgramFile, other: ProgramFile | undefined): boolean =>
  one.path === other?.path && one.version === other.version;

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
