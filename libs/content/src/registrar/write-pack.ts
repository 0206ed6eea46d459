import type { PackRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import type { LoadedPack } from './load-pack';
import { writeRecord } from './write-record';

/** Stores a pack that was checked. What is as it was costs no write. @returns how many resources of each kind there are */
export async function writePack(
  store: Store,
  { pack, kinds }: LoadedPack,
  storedPack: PackRecord | undefined,
): Promise<Record<string, number>> {
  if (pack) await writeRecord(store.packs, pack.ref, pack, storedPack);
  const counts: Record<string, number> = {};
  for (const { loader, resources, stored } of kinds) {
    const records = loader.repository(store);
    const byRef = new Map(stored.map((record) => [record.ref, record]));
    const changed = resources.filter(({ unchanged }) => !unchanged);
    await Promise.all(changed.map(({ draft }) => writeRecord(records, draft.ref, draft, byRef.get(draft.ref))));
    counts[loader.plural] = resources.length;
    const overridden = resources.filter((resource) => resource.overridden).length;
    if (overridden > 0) counts[`${loader.plural}(overridden)`] = overridden;
  }
  return counts;
}
