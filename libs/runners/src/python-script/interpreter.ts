import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fault } from '@switchyard/base';
import { SYSTEM_PACKS } from '@switchyard/model';
import { versionOf, type ProgramFile } from '@switchyard/subprocess';
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
  if (versionOf(own)) {
    const version = versionOf(join(virtualenv, 'pyvenv.cfg')) ?? '';
    return { python: own, virtualenv, version };
  }
  if (versionOf(join(packDirectory, 'requirements.txt')))
    throw fault('runner.no-virtualenv', { pack, path: virtualenv });
  return found(python, await service());
}

/** A missing program is started anyway, so that the run reports the error. */
const found = (python: string, program: ProgramFile | undefined): ScriptInterpreter => ({
  python: program?.path ?? python,
  version: program?.version ?? '',
});

/** Library paths of a virtual environment, so that interpreters started by an action find its packages too. */
export function librariesOf({ virtualenv }: ScriptInterpreter): string[] {
  if (virtualenv === undefined) return [];
  const lib = join(virtualenv, 'lib');
  return namesIn(lib)
    .filter((name) => /^python3/.test(name))
    .flatMap((name) => pathsIn(join(lib, name)));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const pathsIn = (folder: string): string[] => [folder, join(folder, 'site-packages')];
