import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fault, messageOf } from '@switchyard/base';
import { EnvironmentPlace } from './environment-place';
import { holdLock } from './hold-lock';
import { makeEnvironment, type NewEnvironment } from './make-environment';
import { askInterpreter, minorVersionOf, type PythonInterpreter } from './python-interpreter';
import { cleanEnvironment, type SetUpOutcome } from './set-up-virtualenv';
import type { OnOutput, VirtualenvSettings } from './virtualenv-settings';

/** How to create the environment with the packages that packs expect without requiring them. */
export interface SharedEnvironmentSettings extends VirtualenvSettings {
  /** The requirements of the user; null: those of the product. */
  readonly requirements: string | null;
  readonly indexUrl: string | null;
}

/** The files of the product: which packages, and which modules they contain. */
const OF_THE_PRODUCT = resolve(__dirname, '../../../../python/shared');
export const SHARED_REQUIREMENTS = join(OF_THE_PRODUCT, 'requirements.txt');
export const SHARED_MODULES = join(OF_THE_PRODUCT, 'modules.txt');

/** Stands for the shared environment in errors that name a pack. */
const NAME = 'shared environment';

/**
 * Creates the shared environment of the interpreter's version in `<directory>/<version>`, such as `3.11`, unless it is up to
 * date. A failure leaves the current one in place and its reason in `.made/<version>.failed`, where imports find it
 * (`python/switchyard_modules.py`).
 * @throws Fault `content.shared-environment`
 */
export async function setUpSharedEnvironment(
  given: SharedEnvironmentSettings,
  onOutput: OnOutput = () => undefined,
): Promise<SetUpOutcome> {
  // It must contain all of its packages, regardless of what the interpreter has.
  const settings = {
    ...given,
    virtualenvOptions: [],
    // An unreachable index must be noticed quickly.
    environment: { PIP_RETRIES: '2', UV_HTTP_RETRIES: '2', ...cleanEnvironment(given.environment) },
  };
  try {
    const interpreter = await askInterpreter(NAME, settings);
    const place = new EnvironmentPlace(settings.directory, minorVersionOf(interpreter));
    return await holdLock(NAME, place.lockFile, settings, (marker) =>
      replace({ settings, interpreter, place, marker, onOutput }),
    );
  } catch (error) {
    throw fault('content.shared-environment', { reason: reasonOf(error) }, { cause: error });
  }
}

interface Replacement extends Pick<NewEnvironment, 'interpreter' | 'marker' | 'onOutput'> {
  readonly settings: SharedEnvironmentSettings;
  readonly place: EnvironmentPlace;
}

async function replace({ settings, interpreter, place, marker, onOutput }: Replacement): Promise<SetUpOutcome> {
  const requirements = settings.requirements ?? SHARED_REQUIREMENTS;
  const failure = place.lockFile.replace(/\.lock$/, '.failed');
  let target: string | undefined;
  try {
    const fingerprint = fingerprintOf(await readFile(requirements), interpreter, settings);
    if (await place.holds(fingerprint)) return 'up to date';
    target = await place.fresh();
    const index = settings.indexUrl === null ? [] : ['--index-url', settings.indexUrl];
    const install = ['--no-deps', ...index, '-r', requirements];
    await makeEnvironment({
      place: { name: NAME, directory: dirname(requirements) },
      target,
      interpreter: { ...interpreter, ownPackages: [] },
      install,
      settings,
      marker,
      onOutput,
    });
    await place.use(target, fingerprint);
    await rm(failure, { force: true });
    return 'made';
  } catch (error) {
    if (target !== undefined) await rm(target, { recursive: true, force: true });
    // The stop of the service is not recorded as a reason, because the next start tries again.
    if (settings.abort?.aborted !== true) await note(failure, `it could not be created: ${firstLine(reasonOf(error))}`);
    throw error;
  }
}

async function note(file: string, reason: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, reason);
}

const fingerprintOf = (requirements: Buffer, { version }: PythonInterpreter, settings: VirtualenvSettings): string =>
  createHash('sha256')
    .update(requirements)
    .update(JSON.stringify([settings.python, version]))
    .digest('hex');

/** The reason without the sentence that names a pack. */
const reasonOf = (error: unknown): string =>
  messageOf(error).replace(/^The virtual environment of the pack .*? cannot be set up: /, '');

export const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';
