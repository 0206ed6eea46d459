import { readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fault } from '@switchyard/base';
import type { EnvironmentMarker } from '@switchyard/subprocess';
import type { PackPlace } from '../packs/find-packs';
import { linkBundledTools, unpackBundledTools } from './bundled-tools';
import { installPackages } from './install-packages';
import { writeLockFile } from './lock-file';
import type { PythonInterpreter } from './python-interpreter';
import { runSetupProgram } from './run-program';
import type { OnOutput, VirtualenvSettings } from './virtualenv-settings';

export interface NewEnvironment {
  readonly place: PackPlace;
  /** Directory to create it in; its scripts will contain this path. */
  readonly target: string;
  readonly interpreter: PythonInterpreter;
  /** Arguments of `pip install`. */
  readonly install: readonly string[];
  readonly settings: VirtualenvSettings;
  /** Path of the lock file that is held meanwhile. */
  readonly marker: EnvironmentMarker;
  readonly onOutput: OnOutput;
}

/**
 * Creates virtual environments: those of packs, of their tests, and the shared one. Reports each step before it begins.
 * @throws Fault `content.virtualenv` with the reason in its first line and the last output of the programs
 */
export async function makeEnvironment(made: NewEnvironment): Promise<void> {
  const { settings, interpreter, install, place, onOutput } = made;
  const [version] = interpreter.version.split(' ');
  const steps: [text: string, run: () => Promise<void>][] = [
    [`creating the environment with Python ${version}`, () => createDirectory(made)],
    ...(install.length > 0
      ? [[`installing ${namesOf(install)}`, () => installPackages(made)] as [string, () => Promise<void>]]
      : []),
    ['writing the list of installed packages', () => writeLockFile(made)],
  ];
  for (const [at, [text, run]] of steps.entries()) {
    onOutput(`${place.name}: step ${at + 1} of ${steps.length}, ${text}\n`);
    await run();
  }
  const opensToSystem = settings.virtualenvOptions.includes('--system-site-packages');
  if (opensToSystem && interpreter.ownPackages.length > 0) await linkPackages(made);
}

/** `six, requirements.txt` of `six>=1.9 -r requirements.txt`. */
const namesOf = (install: readonly string[]): string => install.filter((word) => !word.startsWith('-')).join(', ');

async function createDirectory(made: NewEnvironment): Promise<void> {
  const { place, target, settings, interpreter, marker, onOutput } = made;
  const { python, virtualenv, virtualenvOptions } = settings;
  const common = { cwd: dirname(target), environment: settings.environment, abort: settings.abort, marker };
  const args = ['-p', python, ...virtualenvOptions, '--no-download', target];
  if (await runSetupProgram(place.name, { ...common, file: virtualenv, args }, onOutput)) return;
  const options = virtualenvOptions.map((option) => VENV_NAMES[option] ?? option);
  const tools = options.includes(WITHOUT_PIP) ? undefined : await unpackBundledTools(place.name, interpreter, settings);
  const own = tools === undefined ? [] : [WITHOUT_PIP];
  const started = await runSetupProgram(
    place.name,
    { ...common, file: python, args: ['-m', 'venv', ...options, ...own, target] },
    onOutput,
  );
  if (!started) throw fault('content.virtualenv', { pack: place.name, reason: `program "${python}" not found` });
  if (tools !== undefined) await linkBundledTools(target, tools);
}

const WITHOUT_PIP = '--without-pip';
/** Options that have other names in the module venv. */
const VENV_NAMES: Readonly<Record<string, string>> = { '--always-copy': '--copies', '--no-pip': WITHOUT_PIP };

/**
 * `--system-site-packages` gives access to the base interpreter's packages. If the service itself runs in a virtual
 * environment, users mean the packages of that environment, so they are added at the end of the path.
 */
async function linkPackages({ target, interpreter }: NewEnvironment): Promise<void> {
  const library = join(target, 'lib');
  for (const version of (await readdir(library)).filter((name) => name.startsWith('python'))) {
    const lines = interpreter.ownPackages.map((path) => `${path}\n`).join('');
    await writeFile(join(library, version, 'site-packages', 'zz_service_packages.pth'), lines);
  }
}
