import { readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fault, messageOf } from '@switchyard/base';
import { startProcess } from '@switchyard/subprocess';
import type { PackPlace } from '../packs/find-packs';
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
  readonly onOutput: OnOutput;
}

/** @throws Fault `content.virtualenv` with the last output of the programs */
export async function makeEnvironment(made: NewEnvironment): Promise<void> {
  const { settings, interpreter, install } = made;
  await createDirectory(made);
  const opensToSystem = settings.virtualenvOptions.includes('--system-site-packages');
  if (opensToSystem && interpreter.ownPackages.length > 0) await linkPackages(made);
  if (install.length > 0) await installPackages(made);
}

async function createDirectory({ place, target, settings, onOutput }: NewEnvironment): Promise<void> {
  const { python, virtualenv, virtualenvOptions } = settings;
  const common = { cwd: dirname(target), environment: settings.environment, abort: settings.abort };
  const args = ['-p', python, ...virtualenvOptions, '--no-download', target];
  if (await runSetupProgram(place.name, { ...common, file: virtualenv, args }, onOutput)) return;
  onOutput(`Program "${virtualenv}" not found; using the module venv of ${python}.\n`);
  const options = virtualenvOptions.map((option) => VENV_NAMES[option] ?? option);
  const started = await runSetupProgram(
    place.name,
    { ...common, file: python, args: ['-m', 'venv', ...options, target] },
    onOutput,
  );
  if (!started) throw fault('content.virtualenv', { pack: place.name, reason: `program "${python}" not found` });
}

/** Options that have other names in the module venv. */
const VENV_NAMES: Readonly<Record<string, string>> = { '--always-copy': '--copies', '--no-pip': '--without-pip' };

/**
 * `--system-site-packages` gives access to the base interpreter's packages. If the service itself runs in a virtual
 * environment, its packages are meant, so they are added at the end of the path.
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
    // Requirements may refer to directories of the pack.
    cwd: place.directory,
    environment: settings.environment,
    abort: settings.abort,
  };
  const started = await runSetupProgram(place.name, program, onOutput);
  if (!started) throw fault('content.virtualenv', { pack: place.name, reason: `program "${program.file}" not found` });
}

/** The interpreter used to create environments. */
export interface PythonInterpreter {
  readonly version: string;
  /** Its package directories, if it is itself in a virtual environment; empty otherwise. */
  readonly ownPackages: readonly string[];
}

const QUESTION = `
import json, sys, sysconfig
paths = sysconfig.get_paths()
own = sorted({paths["purelib"], paths["platlib"]}) if sys.prefix != sys.base_prefix else []
print(json.dumps({"version": sys.version, "ownPackages": own}))
`;

/** @throws Fault `content.virtualenv` when it cannot be started */
export async function askInterpreter(
  pack: string,
  { python, environment }: Pick<VirtualenvSettings, 'python' | 'environment'>,
): Promise<PythonInterpreter> {
  const { stdout, stderr, spawnError } = await startProcess({
    command: { file: python, args: ['-I', '-c', QUESTION] },
    env: environment,
  }).result;
  try {
    return JSON.parse(stdout.text) as PythonInterpreter;
  } catch (error) {
    const reason = `${python} gave no valid answer: ${spawnError?.message ?? (stderr.text.trim() || messageOf(error))}`;
    throw fault('content.virtualenv', { pack, reason });
  }
}
