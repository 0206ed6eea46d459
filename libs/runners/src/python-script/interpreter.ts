import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fault } from '@switchyard/base';
import { SYSTEM_PACKS } from '@switchyard/model';
import { versionOf, type ProgramFile } from './program-file';
import type { PythonSettings } from './python-settings';

/** The Python that runs the actions of a pack. */
export interface Interpreter {
  readonly python: string;
  /** Absent: the Python of the service. */
  readonly virtualenv?: string;
  /** Changes when the program is another one, or the virtual environment is made anew. */
  readonly version: string;
}

/**
 * A pack that needs nothing but Python itself does with that of the service.
 * @param service finds that one. What is in a virtual environment is started by that path and no other, or it would not know.
 * @throws Fault `runner.no-virtualenv` when the pack has requirements
 */
export async function interpreterOf(
  pack: string,
  packDirectory: string,
  { python, virtualenvs }: Pick<PythonSettings, 'python' | 'virtualenvs'>,
  service: () => Promise<ProgramFile | undefined>,
): Promise<Interpreter> {
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

/** A program that is not there is started all the same: the run has to say so. */
const found = (python: string, program: ProgramFile | undefined): Interpreter => ({
  python: program?.path ?? python,
  version: program?.version ?? '',
});

/** What a virtual environment adds to the path, so that the interpreters that an action starts find it as well. */
export async function librariesOf({ virtualenv }: Interpreter): Promise<string[]> {
  if (virtualenv === undefined) return [];
  const lib = join(virtualenv, 'lib');
  const names = await readdir(lib).catch(() => []);
  return names.filter((name) => /^python3/.test(name)).flatMap((name) => pathsIn(join(lib, name)));
}

const pathsIn = (folder: string): string[] => [folder, join(folder, 'site-packages')];
