import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { PackPlace } from '../packs/find-packs';
import { EnvironmentPlace } from './environment-place';
import { holdLock } from './hold-lock';
import { askInterpreter, type Interpreter } from './interpreter';
import { makeEnvironment } from './make-environment';
import { pythonNeeds, type PythonNeeds } from './python-needs';
import type { OnOutput, VirtualenvSettings } from './virtualenv-settings';

export type SetUpOutcome = 'made' | 'up to date' | 'not needed';

export interface SetUpOptions {
  /** Make it anew even when nothing has changed: that fetches newer versions of what is required. */
  readonly recreate?: boolean;
  readonly onOutput?: OnOutput;
}

/**
 * Gives a pack its virtual environment, or a new one when its requirements, the interpreter or the options have changed. One
 * that is in use stays untouched until the new one is complete. Of several who want the same at once, one does it.
 * @throws Fault `content.virtualenv` with the last lines of the program that has failed
 */
export async function setUpVirtualenv(
  place: PackPlace,
  given: VirtualenvSettings,
  { recreate = false, onOutput = () => undefined }: SetUpOptions = {},
): Promise<SetUpOutcome> {
  const needs = await pythonNeeds(place);
  if (!needs) return 'not needed';
  const settings = { ...given, environment: cleanEnvironment(given.environment) };
  const environment = new EnvironmentPlace(settings.directory, place.name);
  return holdLock(place.name, environment.lockFile, settings, async () => {
    const interpreter = await askInterpreter(place.name, settings);
    const fingerprint = fingerprintOf(needs, interpreter, settings);
    if (!recreate && (await environment.holds(fingerprint))) return 'up to date';
    const target = await environment.fresh();
    try {
      await makeEnvironment({ place, target, interpreter, install: needs.install, settings, onOutput });
    } catch (error) {
      await rm(target, { recursive: true, force: true });
      throw error;
    }
    await environment.use(target, fingerprint);
    return 'made';
  });
}

/** What leads Python and pip to other packages than those of the environment. */
const MISLEADING = ['PYTHONPATH', 'PYTHONHOME', 'PYTHONSTARTUP', 'VIRTUAL_ENV', 'PIP_USER', 'PIP_TARGET', 'PIP_PREFIX'];

const cleanEnvironment = (environment: VirtualenvSettings['environment']): VirtualenvSettings['environment'] =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !MISLEADING.includes(name)));

const fingerprintOf = ({ hash }: PythonNeeds, interpreter: Interpreter, settings: VirtualenvSettings): string => {
  const { python, virtualenvOptions, pipOptions } = settings;
  const parts = [hash, python, interpreter.version, interpreter.ownPackages, virtualenvOptions, pipOptions];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
};
