import { join } from 'node:path';
import type { StoreWithoutExecutions } from '@switchyard/storage';
import type { RunnerSchemas } from '../actions/inspect-action';
import { loadConfigSchema, loadConfigFile } from '../loaders/load-config';
import { loadResourceFiles, type LoadedResource } from '../loaders/load-resource-files';
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
  kinds: { loader: Loader; resources: LoadedResource[]; stored: ContentRecord[] }[];
  failures: ContentFailure[];
  /** Failures of files, and of parts of files, that were left out. The rest of the pack is stored. */
  leftOut: ContentFailure[];
  /** What is registered, but was perhaps not meant so. */
  warnings: ContentFailure[];
}

export interface PackSource {
  store: StoreWithoutExecutions;
  loaders: readonly Loader[];
  runners: RunnerSchemas;
  /** Also read files that have not changed since they were registered. */
  readsUnchanged: boolean;
  /** Directory of the override files, and their names. */
  overrides?: { directory: string; files: readonly string[] };
}

/** Reads and checks a whole pack, without changing anything. */
export async function loadPack(place: PackPlace, source: PackSource): Promise<LoadedPack> {
  const files = await listPackFiles(place.directory);
  const packFile = await loadPackFile(place, files);
  const schema = await loadConfigSchema(place, files);
  const read = await overridesOf(place.name, source);
  const overrides = 'overrides' in read ? read.overrides : noOverrides;
  // Without its overrides, content that is switched off would be switched on.
  const failures = [packFile, read].flatMap((part) => ('failures' in part ? part.failures : []));
  const leftOut = 'failures' in schema ? [...schema.failures] : [];
  const loaded: LoadedPack = { name: place.name, kinds: [], failures, leftOut, warnings: [] };
  if ('pack' in packFile) loaded.pack = packFile.pack;
  if ('attributes' in schema && schema.attributes) loaded.configSchema = schema.attributes;
  for (const loader of source.loaders) {
    const stored = await loader.stored(source.store, place.name);
    const found = await loadResourceFiles(loader, { ...source, place, files, overrides, stored });
    loaded.kinds.push({ loader, resources: found.resources, stored });
    loaded.warnings.push(...found.warnings);
    loaded.leftOut.push(...found.failures, ...found.resources.flatMap(({ leftOut }) => leftOut));
  }
  return loaded;
}

async function overridesOf(
  pack: string,
  { overrides }: PackSource,
): Promise<{ overrides: PackOverrides } | { failures: ContentFailure[] }> {
  return overrides ? readOverrides(overrides.directory, overrides.files, pack) : { overrides: noOverrides };
}

/** Reads and checks a `pack.yaml`. @param files every file of the pack, for the record */
async function loadPackFile(
  { name, directory }: PackPlace,
  files: string[],
): Promise<{ pack: PackDraft } | { failures: ContentFailure[] }> {
  const file: FailedFile = { pack: name, type: 'pack', file: join(directory, PACK_FILE) };
  const read = await readText(file);
  if ('failures' in read) return read;
  const parsed = parseText(file, read.text);
  if ('failures' in parsed) return parsed;
  const { content, yaml } = parsed;
  // A version such as 0.10 reads as a number; what counts is how it was written.
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
    const loaded = await loadConfigFile(directory, pack, configSchema ?? stored.get(pack));
    if ('failures' in loaded) failures.push(...loaded.failures);
    // If the pack is rejected, its configuration may not match the stored schema.
    else if (loaded.values && others.length === 0) configs.push({ pack, values: loaded.values });
  }
  return { configs, failures };
}
