import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { existsSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { findPackDirectory, setUpVirtualenv, type PackPlace, type VirtualenvSettings } from '@switchyard/content';
import {
  loadConfig,
  packageInstallation,
  paths,
  pythonInstallation,
  type Config,
  type Paths,
} from '@switchyard/config';
import { RUNNER_PYTHON_MODULES, serviceEnvironment } from '@switchyard/runners';
import { CommandError, exitCodes, usageError } from '../exit-codes';
import { environmentValue, type Terminal } from '../terminal';
import type { PackTestOptions } from './pack-test';

/** The exit codes of StackStorm's script. */
const NO_SUCH_PACK = 3;
/** Packages that tests of packs may use without requiring them. */
const PYTEST = ['pytest', 'mock'];
const COVERAGE = 'pytest-cov';

interface TestedPack {
  readonly place: PackPlace;
  readonly config: Config;
  readonly where: Paths;
}

/**
 * Runs the tests of a pack in a separate environment with the requirements of the pack and its tests.
 * @returns the exit code of the tests
 */
export async function testPack(
  named: string | undefined,
  options: PackTestOptions,
  terminal: Terminal,
): Promise<number> {
  const pack = await locate(named, options, terminal);
  terminal.stdout.write(`Running tests for pack: ${pack.place.name}\n`);
  if (!existsSync(join(pack.place.directory, 'tests'))) {
    terminal.stdout.write('No tests found.\n');
    return exitCodes.ok.code;
  }
  const environment = options.virtualenv ? await testEnvironment(pack, options, terminal) : undefined;
  return runTests(pack, environment, options, terminal);
}

async function locate(named: string | undefined, options: PackTestOptions, { env }: Terminal): Promise<TestedPack> {
  const file = options.configFile ?? environmentValue(env, 'CONFIG_PATH');
  const { config } = loadConfig({
    environment: env,
    ...(file === undefined ? {} : { file: resolve(file) }),
    ...(options.dataDir === undefined ? {} : { overrides: { system: { base_path: resolve(options.dataDir) } } }),
  });
  const where = paths(config);
  const directory = await directoryOf(named, options, where);
  return { place: { name: basename(directory), directory }, config, where };
}

async function directoryOf(named: string | undefined, { packPath }: PackTestOptions, where: Paths): Promise<string> {
  if ((named === undefined) === (packPath === undefined)) throw usageError('Specify one pack: PACK or -p DIRECTORY.');
  const path = resolve(packPath ?? named ?? '');
  const found =
    packPath === undefined && !named?.includes('/')
      ? ((await findPackDirectory(where.packsBasePaths, named ?? '')) ?? path)
      : path;
  if (statSync(found, { throwIfNoEntry: false })?.isDirectory()) return found;
  throw new CommandError(`Invalid pack path: ${found}`, NO_SUCH_PACK);
}

/** @returns the directory of the environment, after creating or updating it */
async function testEnvironment(
  { place, config, where }: TestedPack,
  { justRun, runner, coverage, verbose }: PackTestOptions,
  { env, stderr }: Terminal,
): Promise<string> {
  const directory = join(where.base, 'cache/pack-tests');
  const environment = join(directory, place.name);
  if (justRun) {
    if (existsSync(environment)) return environment;
    throw usageError(
      `There is no environment in ${environment}. Leave out -j to create it, or use -x to run without one.`,
    );
  }
  const pytest = runner === 'unittest' ? [] : [...PYTEST, ...(coverage ? [COVERAGE] : [])];
  const onOutput = (line: string): void => void (verbose && stderr.write(line));
  const settings = settingsOf(config, where, directory, env);
  const outcome = await setUpVirtualenv(place, settings, { testPackages: pytest, onOutput });
  if (outcome === 'made') stderr.write(`Created the environment ${environment}.\n`);
  return environment;
}

function settingsOf(config: Config, where: Paths, directory: string, env: Terminal['env']): VirtualenvSettings {
  const pipOptions = (env['ST2_PIP_OPTIONS'] ?? '').split(/\s+/).filter((word) => word !== '');
  const installation = packageInstallation(config, where);
  return {
    ...installation,
    directory,
    pipOptions: [...installation.pipOptions, ...pipOptions],
    environment: serviceEnvironment(env),
  };
}

const PROGRAM = join(RUNNER_PYTHON_MODULES, 'run_pack_tests.py');

function runTests(
  { place, config, where }: TestedPack,
  environment: string | undefined,
  { file, coverage, timing, verbose, runner }: PackTestOptions,
  { env }: Terminal,
): Promise<number> {
  const program = environment === undefined ? config.actionrunner.python_binary : join(environment, 'bin/python');
  const args = [
    PROGRAM,
    place.directory,
    '--shared',
    JSON.stringify(pythonInstallation(config, where).shared),
    ...(file === undefined ? [] : ['--file', file]),
    ...(runner === undefined ? [] : ['--runner', runner]),
    ...(coverage ? ['--coverage'] : []),
    ...(timing ? ['--timing'] : []),
    ...(verbose ? ['--verbose'] : []),
  ];
  const own = environment === undefined ? {} : activated(environment, env);
  const child = spawn(program, args, { stdio: 'inherit', env: { ...serviceEnvironment(env), ...own } });
  return new Promise((done, failed) => {
    child.once('error', (error) => failed(new CommandError(`Could not start ${program}: ${error.message}`)));
    child.once('close', (code, signal) => done(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
}

/** As the environment's `activate` script sets it. */
const activated = (environment: string, { PATH: path = '' }: Terminal['env']): Record<string, string> => ({
  VIRTUAL_ENV: environment,
  PATH: `${join(environment, 'bin')}:${path}`,
});
