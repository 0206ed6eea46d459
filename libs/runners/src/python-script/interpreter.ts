import { constants } from 'node:fs';
import { readdir, access, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fault } from '@switchyard/base';
import { SYSTEM_PACKS } from '@switchyard/model';
import type { PythonSettings } from './python-settings';

/** The Python that runs the actions of a pack. */
export interface ScriptInterpreter {
  readonly python: string;
  /** Absent when it is the service's own Python. */
  readonly virtualenv?: string;
  /** Changes when the program or the virtual environment is replaced. */
  readonly version: string;
}

/**
 * Chooses the interpreter of a pack. Packs without requirements can use the service's Python.
 * @param service finds the service's Python. Interpreters in virtual environments must be started by their own path.
 * @throws Fault `runner.no-virtualenv` when the pack has requirements
 */
export async function interpreterOf(
  pack: string,
  packDirectory: string,
  { python, virtualenvs }: Pick<PythonSettings, 'python' | 'virtualenvs'>,
  service: () => Promise<ProgramFile | undefined>,
): Promise<ScriptInterpreter> {
  if (SYSTEM_PACKS.includes(pack)) return found(python, await service());
  const virtualenv = join(virtualenvs, pack);
  const own = join(virtualenv, 'bin', 'python');
  if (await versionOf(own)) {
    const version = (await versionOf(join(virtualenv, 'pyvenv.cfg'))) ?? '';
    return { python: own, virtualenv, version };
  }
  if (await versionOf(join(packDirectory, 'requirements.txt')))
    throw fault('runner.no-virtualenv', { pack, path: virtualenv });
  return found(python, await service());
}

/** A missing program is started anyway, so that the run reports the error. */
const found = (python: string, program: ProgramFile | undefined): ScriptInterpreter => ({
  python: program?.path ?? python,
  version: program?.version ?? '',
});

/** Library paths of a virtual environment, so that interpreters started by an action find its packages too. */
export async function librariesOf({ virtualenv }: ScriptInterpreter): Promise<string[]> {
  if (virtualenv === undefined) return [];
  const lib = join(virtualenv, 'lib');
  const names = await readdir(lib).catch(() => []);
  return names.filter((name) => /^python3/.test(name)).flatMap((name) => pathsIn(join(lib, name)));
}

const pathsIn = (folder: string): string[] => [folder, join(folder, 'site-packages')];

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
export async function findProgram(name: string, searched = ''): Promise<ProgramFile | undefined> {
  const directories = searched.split(':').filter((directory) => directory.startsWith('/'));
  const places = name.includes('/') ? [name] : directories.map((directory) => join(directory, name));
  for (const path of places) {
    const version = await versionOf(path);
    if (version !== undefined && (await isExecutable(path))) return { path, version };
  }
  return undefined;
}

/** @returns undefined when there is no such file */
export async function versionOf(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() === true ? `${found.ino}-${found.mtimeMs}` : undefined;
}

const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
