import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fault, messageOf } from '@switchyard/base';
import type { NewEnvironment } from './make-environment';
import { runSetupProgram } from './run-program';
import type { VirtualenvSettings } from './virtualenv-settings';

/**
 * Installs the requirements with uv or pip. Both keep downloads and builds in the package cache, so that a repeated
 * attempt, another pack or another service can reuse them.
 * @throws Fault `content.virtualenv`
 */
export async function installPackages(made: NewEnvironment): Promise<void> {
  const { settings, place, onOutput } = made;
  if (settings.installer === 'pip' || (settings.installer === 'auto' && isPipConfigured(settings))) return runPip(made);
  const program = 'uv';
  const run = async (): Promise<boolean> => runSetupProgram(place.name, await uvCommand(made, program), onOutput);
  if (settings.installer === 'uv') {
    if (await run()) return;
    throw fault('content.virtualenv', { pack: place.name, reason: `program "${program}" not found` });
  }
  try {
    if (await run()) return;
  } catch (error) {
    if (settings.abort?.aborted === true) throw error;
    // pip accepts some old packages that uv rejects.
    onOutput(`uv failed, trying pip: ${messageOf(error).split('\n', 1)[0] ?? ''}\n`);
  }
  return runPip(made);
}

async function runPip(made: NewEnvironment): Promise<void> {
  const { place, target, install, settings, onOutput } = made;
  const options = ['--no-input', '--disable-pip-version-check', '-U', ...sourceOf(settings), ...settings.pipOptions];
  const program = {
    file: join(target, 'bin/python'),
    args: ['-m', 'pip', 'install', ...options, ...install],
    ...(await surroundingsOf(made, 'PIP_CACHE_DIR', 'pip')),
  };
  const started = await runSetupProgram(place.name, program, onOutput);
  if (!started) throw fault('content.virtualenv', { pack: place.name, reason: `program "${program.file}" not found` });
}

async function uvCommand(made: NewEnvironment, file: string) {
  const { target, install, settings } = made;
  // pip looks for the best version in all indexes, and compiles.
  const options = ['--index-strategy', 'unsafe-best-match', '--compile-bytecode', '--no-progress'];
  const into = ['--python', join(target, 'bin/python')];
  return {
    file,
    args: ['pip', 'install', ...into, ...options, ...sourceOf(settings), ...settings.pipOptions, ...install],
    ...(await surroundingsOf(made, 'UV_CACHE_DIR', 'uv')),
  };
}

async function surroundingsOf({ place, settings, marker }: NewEnvironment, variable: string, folder: string) {
  const cache = join(settings.packageCache, folder);
  await mkdir(cache, { recursive: true });
  return {
    // Requirements may refer to directories of the pack.
    cwd: place.directory,
    environment: { [variable]: cache, ...settings.environment },
    abort: settings.abort,
    marker,
  };
}

const sourceOf = ({ wheels }: VirtualenvSettings): string[] =>
  wheels === null ? [] : ['--no-index', '--find-links', resolve(wheels)];

/** uv ignores the configuration of pip, so it would look for packages in another place or without a needed certificate. */
function isPipConfigured({ pipOptions, environment }: VirtualenvSettings): boolean {
  if (pipOptions.length > 0) return true;
  if (Object.keys(environment).some((name) => name.startsWith('PIP_') && !HARMLESS.includes(name))) return true;
  const { HOME: home = '/', XDG_CONFIG_HOME: config = join(home, '.config') } = environment;
  return ['/etc/pip.conf', '/etc/xdg/pip/pip.conf', join(home, '.pip/pip.conf'), join(config, 'pip/pip.conf')].some(
    (file) => existsSync(file),
  );
}

/** Variables of pip that do not change what it installs. */
const HARMLESS = [
  'PIP_CACHE_DIR',
  'PIP_DEFAULT_TIMEOUT',
  'PIP_DISABLE_PIP_VERSION_CHECK',
  'PIP_NO_INPUT',
  'PIP_PROGRESS_BAR',
  'PIP_RETRIES',
  'PIP_ROOT_USER_ACTION',
];
