import type { PackRecord } from '@switchyard/model';
import type { ContentTarget } from '../loaders/loader';
import type { LoadedPack } from './load-pack';
import { writeRecord } from './write-record';

/**
 * Stores packs that were checked, one kind of content after the other: what a rule listens to may come with another pack.
 * What is as it was costs no write.
 * @returns how many resources of each kind there are
 */
export async function writePacks(
  target: ContentTarget,
  packs: readonly LoadedPack[],
  storedPacks: readonly PackRecord[],
): Promise<Record<string, number>> {
  for (const { pack } of packs) {
    const stored = storedPacks.find(({ ref }) => ref === pack?.ref);
    if (pack) await writeRecord(target.store.packs, pack.ref, pack, stored);
  }
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

async function writeKind(target: ContentTarget, { loader, resources, stored }: LoadedPack['kinds'][number]) {
  const byRef = new Map(stored.map((record) => [record.ref, record]));
  const changed = resources.filter(({ unchanged }) => !unchanged);
  await Promise.all(changed.map(({ draft }) => loader.write(draft, byRef.get(draft.ref), target)));
}
