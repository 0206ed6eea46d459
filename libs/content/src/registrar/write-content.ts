import { isFault } from '@switchyard/base';
import { type ConfigSchemaRecord, type PackRecord, toUid } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import type { RunnerSchema } from '../actions/inspect-action';
import type { LoadedResource, ResourcePortion } from '../loaders/load-resource-files';
import type { ContentRecord, ContentTarget, Draft, Loader } from '../loaders/loader';
import { noteProblems, type LoadedKind, type LoadedPack, type LoadedPackConfig } from './load-pack';
import { writeRecord } from './write-record';

/** The stored packs and schemas, as last read. */
export interface StoredPacks {
  readonly packs: readonly PackRecord[];
  readonly configSchemas: readonly ConfigSchemaRecord[];
}

/**
 * Stores checked packs and configurations, then their content, one kind after the other, because a rule may listen to a trigger
 * of another pack. A sensor may start as soon as it is stored, so its configuration comes first. Unchanged records are not written.
 * @returns the number of resources of each kind
 */
export async function writePacks(
  target: ContentTarget,
  packs: readonly LoadedPack[],
  configs: readonly LoadedPackConfig[],
  stored: StoredPacks,
): Promise<Record<string, number>> {
  for (const loaded of packs) await writePack(target, loaded, stored);
  for (const config of configs) await writeConfig(target.store, config);
  const counts: Record<string, number> = {};
  const count = (name: string, more: number): void => {
    if (more > 0) counts[name] = (counts[name] ?? 0) + more;
  };
  const kinds = Math.max(0, ...packs.map((pack) => pack.kinds.length));
  for (let kind = 0; kind < kinds; kind += 1) {
    for (const pack of packs) {
      const { kinds: own } = pack;
      const loaded = own[kind];
      if (!loaded) continue;
      for await (const { resources, stored: before } of portionsOf(pack, loaded)) {
        await writeResources(target, loaded.loader, resources, before);
        count(loaded.loader.plural, resources.length);
        count(`${loaded.loader.plural}(overridden)`, resources.filter(({ overridden }) => overridden).length);
      }
    }
  }
  return counts;
}

/** Stores the fingerprints of packs, after everything in them: otherwise a start might skip what was never stored. */
export async function writeFingerprints(
  { packs: records }: Pick<Store, 'packs'>,
  packs: readonly LoadedPack[],
  stored: StoredPacks,
): Promise<void> {
  const before = new Map(stored.packs.map(({ ref, fingerprint }) => [ref, fingerprint]));
  for (const { name, fingerprint } of packs) {
    if (fingerprint === undefined || fingerprint === before.get(name)) continue;
    const record = await records.byKey(name);
    if (record) await records.replace({ ...record, fingerprint });
  }
}

async function* portionsOf(
  pack: LoadedPack,
  { resources, stored, portions, checked = false }: LoadedKind,
): AsyncGenerator<Pick<ResourcePortion, 'resources' | 'stored'>, void, undefined> {
  if (!portions) return yield { resources, stored };
  for await (const portion of portions()) {
    if (!checked) noteProblems(pack, portion);
    yield portion;
  }
}

async function writePack(
  { store }: ContentTarget,
  { name, pack, configSchema: attributes }: LoadedPack,
  stored: StoredPacks,
): Promise<void> {
  const before = stored.packs.find(({ ref }) => ref === name);
  const { fingerprint } = before ?? {};
  if (pack) await writeRecord(store.packs, name, { ...pack, ...(fingerprint && { fingerprint }) }, before);
  const schema = stored.configSchemas.find((record) => record.pack === name);
  if (attributes) await writeRecord(store.configSchemas, name, { pack: name, attributes }, schema);
}

async function writeResources(
  target: ContentTarget,
  loader: Loader,
  resources: readonly LoadedResource[],
  stored: ReadonlyMap<string, ContentRecord>,
): Promise<void> {
  const changed = resources.filter(({ unchanged }) => !unchanged).map(({ draft }) => draft);
  const inserted = await insertNew(
    target,
    loader,
    changed.filter(({ ref }) => !stored.has(ref)),
  );
  const others = inserted ? changed.filter(({ ref }) => stored.has(ref)) : changed;
  await Promise.all(others.map((draft) => loader.write(draft, stored.get(draft.ref), target)));
}

/** @returns false if the records must be written one by one, because another process has inserted some of them */
async function insertNew(
  target: ContentTarget,
  { insertAll }: Loader,
  drafts: readonly Draft<ContentRecord>[],
): Promise<boolean> {
  if (!insertAll) return false;
  try {
    await insertAll(drafts, target);
    return true;
  } catch (error) {
    if (!isFault(error) || error.code !== 'storage.duplicate') throw error;
    return false;
  }
}

/**
 * Stores the built-in runner types. Disabled types stay disabled; unchanged types are not written.
 * @returns the number of types
 */
export async function registerRunnerTypes(
  store: Pick<Store, 'runnerTypes'>,
  runnerTypes: readonly RunnerSchema[],
): Promise<number> {
  const stored = new Map((await store.runnerTypes.list()).map((record) => [record.name, record]));
  for (const runnerType of runnerTypes) {
    const { name } = runnerType;
    const existing = stored.get(name);
    const draft = { ...runnerType, uid: toUid('runner_type', name), enabled: existing?.enabled ?? runnerType.enabled };
    await writeRecord(store.runnerTypes, name, draft, existing);
  }
  return runnerTypes.length;
}

/** Stores a configuration. A stored one that cannot be decrypted, because its key is lost, is replaced. */
async function writeConfig({ configs }: Pick<Store, 'configs'>, { pack, values }: LoadedPackConfig): Promise<void> {
  try {
    await writeRecord(configs, pack, { pack, values }, await configs.byKey(pack));
  } catch (error) {
    if (!isFault(error) || error.code !== 'storage.config') throw error;
    await configs.upsert({ pack, values });
  }
}
