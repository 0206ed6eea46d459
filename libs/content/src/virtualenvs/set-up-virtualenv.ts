import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SYSTEM_PACKS } from '@switchyard/model';
import { readIfRegularFile } from '../files/regular-file';
import { type PackPlace, listPackFiles } from '../packs/find-packs';
import { EnvironmentPlace } from './environment-place';
import { holdLock } from './hold-lock';
import { makeEnvironment } from './make-environment';
import { askInterpreter, type PythonInterpreter } from './python-interpreter';
import type { OnOutput, VirtualenvSettings } from './virtualenv-settings';

export type SetUpOutcome = 'made' | 'up to date' | 'not needed';

export interface SetUpOptions {
  /** Recreate it even if nothing changed, to install newer versions of the requirements. */
  readonly recreate?: boolean;
  readonly onOutput?: OnOutput;
  /** For the tests of the pack: also installs these packages and `requirements-tests.txt`. */
  readonly testPackages?: readonly string[];
}

/**
 * Creates the virtual environment of a pack, or recreates it when its requirements, the interpreter or the options
 * changed. The current one stays untouched until the new one is complete. If called concurrently, one caller does the
 * work.
 * @throws Fault `content.virtualenv` with the last output of the failed program
 */
export async function setUpVirtualenv(
  place: PackPlace,
  given: VirtualenvSettings,
  { recreate = false, onOutput = () => undefined, testPackages }: SetUpOptions = {},
): Promise<SetUpOutcome> {
  const needs = await pythonNeeds(place, testPackages);
  if (!needs) return 'not needed';
  const settings = { ...given, environment: cleanEnvironment(given.environment) };
  const environment = new EnvironmentPlace(settings.directory, place.name);
  return holdLock(place.name, environment.lockFile, settings, async (marker) => {
    const interpreter = await askInterpreter(place.name, settings);
    const fingerprint = fingerprintOf(needs, interpreter, settings);
    if (!recreate && (await environment.holds(fingerprint))) return 'up to date';
    const target = await environment.fresh();
    try {
      await makeEnvironment({ place, target, interpreter, install: needs.install, settings, marker, onOutput });
    } catch (error) {
      await rm(target, { recursive: true, force: true });
      throw error;
    }
    await environment.use(target, fingerprint);
    return 'made';
  });
}

/** Variables that would make Python and pip use packages outside of the environment. */
const MISLEADING = ['PYTHONPATH', 'PYTHONHOME', 'PYTHONSTARTUP', 'VIRTUAL_ENV', 'PIP_USER', 'PIP_TARGET', 'PIP_PREFIX'];

export const cleanEnvironment = (environment: VirtualenvSettings['environment']): VirtualenvSettings['environment'] =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !MISLEADING.includes(name)));

const fingerprintOf = ({ hash }: PythonNeeds, interpreter: PythonInterpreter, settings: VirtualenvSettings): string => {
  const { python, virtualenvOptions, pipOptions } = settings;
  const parts = [hash, python, interpreter.version, interpreter.ownPackages, virtualenvOptions, pipOptions];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
};

/** What a pack needs in its virtual environment. */
export interface PythonNeeds {
  /** Arguments of `pip install` without options; empty when nothing needs installing. */
  readonly install: readonly string[];
  /** Changes with the requirements. */
  readonly hash: string;
}

const REQUIREMENTS = 'requirements.txt';
const TEST_REQUIREMENTS = 'requirements-tests.txt';

/** StackStorm installs it in every environment, so packs use it without requiring it. */
const SIX = 'six>=1.9.0,<2.0';
const USES_SIX = /^\s*(import|from)\s+six\b/m;

/**
 * @param testPackages undefined unless the environment is for tests, which always need one
 * @returns undefined for a pack that needs no environment: it has no Python code, or is a system pack
 */
async function pythonNeeds(
  { name, directory }: PackPlace,
  testPackages: readonly string[] | undefined,
): Promise<PythonNeeds | undefined> {
  const forTests = testPackages !== undefined;
  if (!forTests && SYSTEM_PACKS.includes(name)) return undefined;
  const files = await listPackFiles(directory);
  const sources = files.filter((file) => file.endsWith('.py'));
  const requirements = files.filter((file) => /^requirements[^/]*\.txt$/.test(file));
  if (!forTests && sources.length === 0 && !requirements.includes(REQUIREMENTS)) return undefined;
  const six = (await anyUses(directory, sources)) ? [SIX] : [];
  const lists = [REQUIREMENTS, ...(forTests ? [TEST_REQUIREMENTS] : [])].filter((file) => requirements.includes(file));
  const install = [...six, ...(testPackages ?? []), ...lists.flatMap((file) => ['-r', file])];
  const hash = createHash('sha256').update(install.join('\n'));
  for (const file of requirements) {
    hash.update(`\0${file}\0`).update((await readIfRegularFile(join(directory, file))) ?? '');
  }
  return { install, hash: hash.digest('hex') };
}

async function anyUses(directory: string, sources: readonly string[]): Promise<boolean> {
  for (const file of sources) {
    if (USES_SIX.test((await readIfRegularFile(join(directory, file)))?.toString() ?? '')) return true;
  }
  return false;
}
