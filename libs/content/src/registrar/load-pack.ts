import { join } from 'node:path';
import type { StoreWithoutExecutions } from '@switchyard/storage';
import type { RunnerSchemas } from '../actions/inspect-action';
import { loadConfigSchema, loadConfigFile } from '../loaders/load-config';
import { loadResourceFiles, type LoadedResource, type ResourcePortion } from '../loaders/load-resource-files';
import type { ContentRecord, Loader } from '../loaders/loader';
import { noOverrides, readOverrides, type PackOverrides } from '../loaders/overrides';
import { type ContentFailure, failureOf, type FailedFile, parseText, readText } from '../loaders/read-content-file';
import { type PackPlace, listPackFiles, PACK_FILE } from '../packs/find-packs';
import { type PackDraft, inspectPack } from '../packs/inspect-pack';

/**
 * A pack that was read and checked completely. `failures` reject it as a whole: its `pack.yaml`, its name or its overrides are invalid.
 */
export interface LoadedPack {
  name: string;
  pack?: PackDraft;
  /** Schemas of the configuration's attributes, by name. */
  configSchema?: Record<string, unknown>;
  kinds: LoadedKind[];
  /** The fingerprint of the pack, if all of it is being registered. */
  fingerprint?: string;
  failures: ContentFailure[];
  /** Failures of files, and of parts of files, that were left out. The rest of the pack is stored. */
  leftOut: ContentFailure[];
  /** Parts that were registered but may be mistakes. */
  warnings: ContentFailure[];
}

/** The resources of one kind. */
export interface LoadedKind {
  loader: Loader;
  /** Empty if they are read in portions. */
  resources: LoadedResource[];
  /** The stored records, by reference. */
  stored: ReadonlyMap<string, ContentRecord>;
  /** Reads the resources of a kind of which a pack may have thousands. */
  portions?: () => AsyncIterable<ResourcePortion>;
  /** Whether the problems of all portions have been collected. */
  checked?: boolean;
}

export interface PackSource {
  store: StoreWithoutExecutions;
  loaders: readonly Loader[];
  runners: RunnerSchemas;
  /** Also read files that have not changed since they were registered. */
  readsUnchanged: boolean;
  /** Directory of the override files, and their names. */
  overrides?: { directory: string; files: readonly string[] };
  /** Set if everything in the packs is being registered. */
  fingerprintOf?: (place: PackPlace, files: readonly string[]) => string;
  signal?: AbortSignal | undefined;
}

/** Reads and checks a whole pack, without changing anything. */
export async function loadPack(place: PackPlace, source: PackSource): Promise<LoadedPack> {
  const files = await listPackFiles(place.directory);
  const packFile = loadPackFile(place, files);
  const schema = loadConfigSchema(place, files);
  const read = overridesOf(place.name, source);
  const overrides = 'overrides' in read ? read.overrides : noOverrides;
  // Without its overrides, content that an administrator has switched off would be enabled.
  const failures = [packFile, read].flatMap((part) => ('failures' in part ? part.failures : []));
  const leftOut = 'failures' in schema ? [...schema.failures] : [];
  const loaded: LoadedPack = { name: place.name, kinds: [], failures, leftOut, warnings: [] };
  if ('pack' in packFile) loaded.pack = packFile.pack;
  if ('attributes' in schema && schema.attributes) loaded.configSchema = schema.attributes;
  if (source.fingerprintOf) loaded.fingerprint = source.fingerprintOf(place, files);
  for (const loader of source.loaders) {
    const portions = () => loadResourceFiles(loader, { ...source, place, files, overrides });
    const kind: LoadedKind = { loader, resources: [], stored: new Map() };
    loaded.kinds.push(kind);
    if (loader.remembers) kind.portions = portions;
    else
      for await (const portion of portions()) {
        noteProblems(loaded, portion);
        kind.resources.push(...portion.resources);
        kind.stored = portion.stored;
      }
  }
  return loaded;
}

export function noteProblems(pack: LoadedPack, { failures, warnings }: ResourcePortion): void {
  pack.leftOut.push(...failures);
  pack.warnings.push(...warnings);
}

/** Collects the problems of everything that is read in portions, without storing it. */
export async function checkPortions(pack: LoadedPack): Promise<void> {
  for (const kind of pack.kinds) {
    if (!kind.portions) continue;
    for await (const portion of kind.portions()) noteProblems(pack, portion);
    kind.checked = true;
  }
}

function overridesOf(
  pack: string,
  { overrides }: PackSource,
): { overrides: PackOverrides } | { failures: ContentFailure[] } {
  return overrides ? readOverrides(overrides.directory, overrides.files, pack) : { overrides: noOverrides };
}

/** Reads and checks a `pack.yaml`. @param files every file of the pack, for the record */
function loadPackFile(
  { name, directory }: PackPlace,
  files: string[],
): { pack: PackDraft } | { failures: ContentFailure[] } {
  const file: FailedFile = { pack: name, type: 'pack', file: join(directory, PACK_FILE) };
  const read = readText(file);
  if ('failures' in read) return read;
  const parsed = parseText(file, read.text);
  if ('failures' in parsed) return parsed;
  const { content, yaml } = parsed;
  // YAML reads a version such as 0.10 as a number, so its original text is used.
  const version = typeof content.version === 'number' ? yaml.sourceOf(['version']) : content.version;
  const given = version === undefined ? content : { ...content, version };
  const { value, issues } = inspectPack(given, { name, directory, files });
  return value ? { pack: value } : { failures: issues.map((issue) => failureOf(file, issue, yaml)) };
}

export interface LoadedPackConfig {
  readonly pack: string;
  readonly values: Record<string, unknown>;
}

/**
 * Reads and checks the configurations of packs. An invalid one does not reject its pack, because it belongs to the
 * administrator; the stored configuration stays in force.
 * @param directory directory of the `<pack>.yaml` files @param stored attributes of packs whose schema file was removed
 */
export async function loadConfigs(
  directory: string,
  packs: readonly LoadedPack[],
  stored: ReadonlyMap<string, Record<string, unknown>>,
): Promise<{ configs: LoadedPackConfig[]; failures: ContentFailure[] }> {
  const configs: LoadedPackConfig[] = [];
  const failures: ContentFailure[] = [];
  for (const { name: pack, configSchema, failures: others } of packs) {
    const loaded = loadConfigFile(directory, pack, configSchema ?? stored.get(pack));
    if ('failures' in loaded) failures.push(...loaded.failures);
    // If the pack is rejected, its configuration may not match the stored schema.
    else if (loaded.values && others.length === 0) configs.push({ pack, values: loaded.values });
  }
  return { configs, failures };
}
