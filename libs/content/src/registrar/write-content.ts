import { isFault } from '@switchyard/base';
import { type ConfigSchemaRecord, type PackRecord, toUid } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import type { RunnerSchema } from '../actions/inspect-action';
import type { ContentTarget } from '../loaders/loader';
import type { LoadedPack, LoadedPackConfig } from './load-pack';
import { writeRecord } from './write-record';

/** The stored packs and schemas, as last read. */
export interface StoredPacks {
  readonly packs: readonly PackRecord[];
  readonly configSchemas: readonly ConfigSchemaRecord[];
}

/**
 * Stores checked packs, one kind of content after the other, because a rule may listen to a trigger of another pack.
 * Unchanged records are not written.
 * @returns the number of resources of each kind
 */
export async function writePacks(
  target: ContentTarget,
  packs: readonly LoadedPack[],
  stored: StoredPacks,
): Promise<Record<string, number>> {
  for (const loaded of packs) await writePack(target, loaded, stored);
  const counts: Record<string, number> = {};
  const count = (name: string, more: number): void => {
    if (more > 0) counts[name] = (counts[name] ?? 0) + more;
  };
  const kinds = Math.max(0, ...packs.map((pack) => pack.kinds.length));
  for (let kind = 0; kind < kinds; kind += 1) {
    for (const { kinds: own } of packs) {
      const loaded = own[kind];
      if (!loaded) continue;
      await writeKind(target, loaded);
      count(loaded.loader.plural, loaded.resources.length);
      count(`${loaded.loader.plural}(overridden)`, loaded.resources.filter(({ overridden }) => overridden).length);
    }
  }
  return counts;
}

async function writePack(
  { store }: ContentTarget,
  { name, pack, configSchema: attributes }: LoadedPack,
  stored: StoredPacks,
): Promise<void> {
  const before = stored.packs.find(({ ref }) => ref === name);
  if (pack) await writeRecord(store.packs, name, pack, before);
  const schema = stored.configSchemas.find((record) => record.pack === name);
  if (attributes) await writeRecord(store.configSchemas, name, { pack: name, attributes }, schema);
}

async function writeKind(target: ContentTarget, { loader, resources, stored }: LoadedPack['kinds'][number]) {
  const byRef = new Map(stored.map((record) => [record.ref, record]));
  const changed = resources.filter(({ unchanged }) => !unchanged);
  await Promise.all(changed.map(({ draft }) => loader.write(draft, byRef.get(draft.ref), target)));
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
export async function writeConfig(
  { configs }: Pick<Store, 'configs'>,
  { pack, values }: LoadedPackConfig,
): Promise<void> {
  try {
    await writeRecord(configs, pack, { pack, values }, await configs.byKey(pack));
  } catch (error) {
    if (!isFault(error) || error.code !== 'storage.config') throw error;
    await configs.upsert({ pack, values });
  }
}
