import { readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fault } from '@switchyard/base';
import type { PackPlace } from '../packs/find-packs';
import type { Interpreter } from './interpreter';
import { runProgram } from './run-program';
import type { OnOutput, VirtualenvSettings } from './virtualenv-settings';

export interface NewEnvironment {
  readonly place: PackPlace;
  /** Where it is made; scripts in it will name this directory. */
  readonly target: string;
  readonly interpreter: Interpreter;
  /** Arguments of `pip install`. */
  readonly install: readonly string[];
  readonly settings: VirtualenvSettings;
  readonly onOutput: OnOutput;
}

/** @throws Fault `content.virtualenv` with what the programs said last */
export async function makeEnvironment(made: NewEnvironment): Promise<void> {
  const { settings, interpreter, install } = made;
  await createDirectory(made);
  const opensToSystem = settings.virtualenvOptions.includes('--system-site-packages');
  if (opensToSystem && interpreter.ownPackages.length > 0) await linkPackages(made);
  if (install.length > 0) await installPackages(made);
}

async function createDirectory({ place, target, settings, onOutput }: NewEnvironment): Promise<void> {
  const { python, virtualenv, virtualenvOptions } = settings;
  const common = { cwd: dirname(target), environment: settings.environment };
  const args = ['-p', python, ...virtualenvOptions, '--no-download', target];
  if (await runProgram(place.name, { ...common, file: virtualenv, args }, onOutput)) return;
  onOutput(`There is no program "${virtualenv}": the module venv of ${python} makes the environment.\n`);
  const options = virtualenvOptions.map((option) => VENV_NAMES[option] ?? option);
  const started = await runProgram(
    place.name,
    { ...common, file: python, args: ['-m', 'venv', ...options, target] },
    onOutput,
  );
  if (!started) throw fault('content.virtualenv', { pack: place.name, reason: `there is no program "${python}"` });
}

/** The module has other names for some options. */
const VENV_NAMES: Readonly<Record<string, string>> = { '--always-copy': '--copies', '--no-pip': '--without-pip' };

/**
 * "System" packages are those of the interpreter that the first environment was made from. Where the service has an environment
 * of its own, that one's are meant: they come last.
 */
async function linkPackages({ target, interpreter }: NewEnvironment): Promise<void> {
  const library = join(target, 'lib');
  for (const version of (await readdir(library)).filter((name) => name.startsWith('python'))) {
    const lines = interpreter.ownPackages.map((path) => `${path}\n`).join('');
    await writeFile(join(library, version, 'site-packages', 'zz_service_packages.pth'), lines);
  }
}

async function installPackages({ place, target, install, settings, onOutput }: NewEnvironment): Promise<void> {
  const args = ['-m', 'pip', 'install', '--no-input', '--disable-pip-version-check', '-U'];
  const program = {
    file: join(target, 'bin/python'),
    args: [...args, ...settings.pipOptions, ...install],
    // Requirements may name directories of the pack.
    cwd: place.directory,
    environment: settings.environment,
  };
  const started = await runProgram(place.name, program, onOutput);
  if (!started)
    throw fault('content.virtualenv', { pack: place.name, reason: `there is no program "${program.file}"` });
}
