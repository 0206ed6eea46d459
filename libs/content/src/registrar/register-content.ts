import { readdir } from 'node:fs/promises';
import type { Publisher } from '@switchyard/messaging';
import { POLICY_TYPES, type PackRecord } from '@switchyard/model';
import type { StoreWithoutExecutions } from '@switchyard/storage';
import { RULE_TYPES, type Triggers } from '@switchyard/triggers';
import type { RunnerSchemas } from '../actions/inspect-action';
import { failureOf, type ContentFailure } from '../loaders/read-content-file';
import { findPacks, requirePack, type PackPlace } from '../packs/find-packs';
import { leaveOutPolicyClashes, leaveOutTriggerFailures } from './check-packs';
import { chooseTypes, type ChosenTypes } from './content-types';
import { logFailures, registrationFault } from './report-failures';
import { fingerprintOfPacks } from './pack-fingerprint';
import {
  checkPortions,
  loadConfigs,
  type LoadedPackConfig,
  loadPack,
  type LoadedPack,
  type PackSource,
} from './load-pack';
import { registerRunnerTypes, writeFingerprints, writePacks, type StoredPacks } from './write-content';

export interface ContentLogger {
  info(message: string, details?: Record<string, unknown>): void;
  warn(message: string, details?: Record<string, unknown>): void;
  error(message: string, details?: Record<string, unknown>): void;
}

export interface Registration extends RunnerSchemas {
  store: StoreWithoutExecutions;
  triggers: Triggers;
  /** Announces changes to sensor containers, which otherwise find them by polling. */
  publisher?: Publisher;
  /** Directories of packs. The first that contains a pack wins. */
  roots: readonly string[];
  /** Names of packs. Default: every pack under the roots. */
  packs?: readonly string[];
  /** Values of `CONTENT_TYPES`, singular or plural. Default: everything. */
  types?: readonly string[];
  /** Register nothing if any file is invalid. Otherwise leave out, log and report invalid files. */
  failOnFailure: boolean;
  /** Report errors and warnings in every file, and register nothing. */
  checkOnly?: boolean;
  /** Directory of the override files `_global.yaml` and `<pack>.yaml`; it need not exist. */
  overridesDirectory?: string;
  /** Directory of the configurations `<pack>.yaml`; it need not exist. */
  configsDirectory?: string;
  logger: ContentLogger;
  /** Aborts the registration, with the reason of the signal. */
  signal?: AbortSignal;
}

export interface RegistrationReport {
  /** By plural name: `{"runners": 3, "actions": 12, "actions(overridden)": 1}`. */
  counts: Record<string, number>;
  /** Every problem of every pack, file or part of a file that was left out. */
  failures: ContentFailure[];
  /** Warnings about the files that were read: parts that were registered but may be mistakes. */
  warnings: ContentFailure[];
}

/**
 * Brings the store in line with the packs on disk. Invalid files are left out, and reported together. With `failOnFailure`
 * everything is checked before anything is stored. Records whose file was removed, or became invalid, stay.
 * @throws Fault `content.unknown-type`, `content.pack-not-on-disk`; `content.registration` with `failOnFailure`
 */
export async function registerContent(registration: Registration): Promise<RegistrationReport> {
  const { store, logger } = registration;
  const chosen = chooseTypes(registration.types);
  const places = await placesOf(registration);
  const stored = { packs: await store.packs.list(), configSchemas: await store.configSchemas.list() };
  const loaded = chosen.loaders.length > 0 || chosen.configs ? await loadPacks(registration, chosen, places) : [];
  addNameClashes(loaded, stored.packs);
  leaveOutPolicyClashes(loaded, loaded.length > 0 ? await store.policies.list() : []);
  await leaveOutTriggerFailures(loaded, registration);
  const { configs, failures: badConfigs } = await configsOf(registration, chosen, loaded, stored);
  const isChecked = registration.checkOnly === true || registration.failOnFailure;
  for (const pack of loaded) if (isChecked || pack.failures.length > 0) await checkPortions(pack);
  const problems = () => ({
    failures: [...loaded.flatMap((pack) => [...pack.failures, ...pack.leftOut]), ...badConfigs],
    warnings: loaded.flatMap((pack) => pack.warnings),
  });
  if (registration.checkOnly) return { counts: {}, ...problems() };
  if (registration.failOnFailure && problems().failures.length > 0) {
    const { failures, warnings } = problems();
    logFailures(logger, failures, warnings);
    throw registrationFault(failures);
  }
  const counts = await write(registration, chosen, { loaded, configs, stored });
  const { failures, warnings } = problems();
  logFailures(logger, failures, warnings);
  logger.info('Registering content.', { counts, packs: loaded.length });
  return { counts, failures, warnings };
}

async function write(
  { store, triggers, publisher, runnerTypes }: Registration,
  { runners, ruleTypes, policyTypes, loaders, configs: withConfigs }: ChosenTypes,
  {
    loaded,
    configs,
    stored,
  }: { loaded: readonly LoadedPack[]; configs: readonly LoadedPackConfig[]; stored: StoredPacks },
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  if (runners) counts.runners = await registerRunnerTypes(store, runnerTypes);
  if (ruleTypes) counts.rule_types = RULE_TYPES.length;
  if (policyTypes) counts.policy_types = POLICY_TYPES.length;
  for (const { plural } of loaders) counts[plural] = 0;
  const sound = loaded.filter(({ failures }) => failures.length === 0);
  const target = { store, triggers, ...(publisher ? { publisher } : {}) };
  Object.assign(counts, await writePacks(target, sound, configs, stored));
  await writeFingerprints(store, sound, stored);
  return withConfigs ? { ...counts, configs: configs.length } : counts;
}

async function configsOf(
  { configsDirectory }: Registration,
  { configs }: ChosenTypes,
  loaded: readonly LoadedPack[],
  { configSchemas }: StoredPacks,
): ReturnType<typeof loadConfigs> {
  if (!configs || configsDirectory === undefined) return { configs: [], failures: [] };
  return loadConfigs(
    configsDirectory,
    loaded,
    new Map(configSchemas.map(({ pack, attributes }) => [pack, attributes])),
  );
}

async function placesOf({ roots, packs }: Registration): Promise<PackPlace[]> {
  if (!packs) return findPacks(roots);
  return Promise.all([...new Set(packs)].map((name) => requirePack(roots, name)));
}

async function loadPacks(
  registration: Registration,
  { loaders, everything }: ChosenTypes,
  places: readonly PackPlace[],
): Promise<LoadedPack[]> {
  const { store, runnerTypes, maxPatternLength, overridesDirectory, checkOnly = false, signal } = registration;
  const source: PackSource = {
    store,
    loaders,
    runners: { runnerTypes, maxPatternLength },
    readsUnchanged: checkOnly,
    signal,
  };
  if (everything) source.fingerprintOf = fingerprintOfPacks(registration);
  if (overridesDirectory !== undefined) {
    source.overrides = { directory: overridesDirectory, files: await namesIn(overridesDirectory) };
  }
  return Promise.all(places.map((place) => loadPack(place, source)));
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Packs are identified by ref, but users see their names, so names must be unique too. */
function addNameClashes(loaded: readonly LoadedPack[], stored: readonly PackRecord[]): void {
  const owners = new Map(stored.map(({ name, ref }) => [name, ref]));
  for (const { name: ref, pack, failures } of loaded) {
    if (!pack) continue;
    const owner = owners.get(pack.name);
    if (owner === undefined || owner === ref) owners.set(pack.name, ref);
    else {
      const file = { pack: ref, type: 'pack', file: `${pack.path}/pack.yaml` };
      const text = `The name "${pack.name}" is taken by the pack "${owner}"`;
      failures.push(failureOf(file, { path: ['name'], text }));
    }
  }
}
