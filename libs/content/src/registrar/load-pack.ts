import type { Store } from '@switchyard/storage';
import type { RunnerTypes } from '../actions/runner-lookup';
import type { ContentFailure } from '../loaders/content-failure';
import { loadConfigSchema } from '../loaders/load-config-schema';
import { loadPackFile } from '../loaders/load-pack-file';
import { loadResourceFiles, type LoadedResource } from '../loaders/load-resource-files';
import type { ContentRecord, Loader } from '../loaders/loader';
import { noOverrides, readOverrides, type PackOverrides } from '../loaders/overrides';
import type { PackPlace } from '../packs/find-packs';
import type { PackDraft } from '../packs/inspect-pack';
import { listPackFiles } from '../packs/list-pack-files';

/** A pack that was read and checked whole. It is written only when there are no `failures`. */
export interface LoadedPack {
  name: string;
  pack?: PackDraft;
  /** The schemas of the attributes of its configuration, by name. */
  configSchema?: Record<string, unknown>;
  kinds: { loader: Loader; resources: LoadedResource[]; stored: ContentRecord[] }[];
  failures: ContentFailure[];
  /** What is wrong with resources that the others can do without: they are not among `kinds`. */
  leftOut: ContentFailure[];
}

export interface PackSource {
  store: Store;
  loaders: readonly Loader[];
  runners: RunnerTypes;
  /** Where override files lie, and their names. */
  overrides?: { directory: string; files: readonly string[] };
}

/** Reads and checks everything of a pack and changes nothing. */
export async function loadPack(place: PackPlace, source: PackSource): Promise<LoadedPack> {
  const files = await listPackFiles(place.directory);
  const packFile = await loadPackFile(place, files);
  const schema = await loadConfigSchema(place, files);
  const read = await overridesOf(place.name, source);
  const overrides = 'overrides' in read ? read.overrides : noOverrides;
  const failures = [packFile, schema, read].flatMap((part) => ('failures' in part ? part.failures : []));
  const loaded: LoadedPack = { name: place.name, kinds: [], failures, leftOut: [] };
  if ('pack' in packFile) loaded.pack = packFile.pack;
  if ('attributes' in schema && schema.attributes) loaded.configSchema = schema.attributes;
  for (const loader of source.loaders) {
    const stored = await loader.stored(source.store, place.name);
    const found = await loadResourceFiles(loader, { place, files, runners: source.runners, overrides, stored });
    loaded.kinds.push({ loader, resources: found.resources, stored });
    (loader.standsAlone === true ? loaded.leftOut : loaded.failures).push(...found.failures);
  }
  return loaded;
}

async function overridesOf(
  pack: string,
  { overrides }: PackSource,
): Promise<{ overrides: PackOverrides } | { failures: ContentFailure[] }> {
  return overrides ? readOverrides(overrides.directory, overrides.files, pack) : { overrides: noOverrides };
}
