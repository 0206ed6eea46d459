import type { ConfigSchemaRecord, PackRecord } from '@switchyard/model';
import type { ContentTarget } from '../loaders/loader';
import type { LoadedPack } from './load-pack';
import { writeRecord } from './write-record';

/** What was there when somebody last looked. */
export interface StoredPacks {
  readonly packs: readonly PackRecord[];
  readonly configSchemas: readonly ConfigSchemaRecord[];
}

/**
 * Stores packs that were checked, one kind of content after the other: what a rule listens to may come with another pack.
 * What is as it was costs no write.
 * @returns how many resources of each kind there are
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
