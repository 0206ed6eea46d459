import { newId } from '@switchyard/base';
import type { PackRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import type { ContentRecord, Loader } from '../loaders/loader';
import type { LoadedResource } from '../loaders/load-resource-files';
import type { PackDraft } from '../packs/inspect-pack';
import type { LoadedPack } from './load-pack';
import { sameRecord } from './same-record';

/** Stores a pack that was checked. What is as it was costs no write. @returns how many resources of each kind there are */
export async function writePack(
  store: Store,
  { pack, kinds }: LoadedPack,
  storedPack: PackRecord | undefined,
): Promise<Record<string, number>> {
  if (pack) await writePackRecord(store, pack, storedPack);
  const counts: Record<string, number> = {};
  for (const { loader, resources, stored } of kinds) {
    const byRef = new Map(stored.map((record) => [record.ref, record]));
    const changed = resources.filter(({ unchanged }) => !unchanged);
    await Promise.all(changed.map(({ draft }) => writeResource(store, loader, draft, byRef.get(draft.ref))));
    counts[loader.plural] = resources.length;
    const overridden = resources.filter((resource) => resource.overridden).length;
    if (overridden > 0) counts[`${loader.plural}(overridden)`] = overridden;
  }
  return counts;
}

async function writePackRecord(store: Store, pack: PackDraft, stored: PackRecord | undefined): Promise<void> {
  const record = { ...pack, _id: stored?._id ?? newId() };
  if (!stored) await store.packs.insert(record);
  else if (!sameRecord(stored, record)) await store.packs.replace(record);
}

async function writeResource(
  store: Store,
  loader: Loader,
  draft: LoadedResource['draft'],
  stored: ContentRecord | undefined,
): Promise<void> {
  const records = loader.repository(store);
  const record = { ...draft, _id: stored?._id ?? newId() };
  if (!stored) await records.insert(record);
  else if (!sameRecord(stored, record)) await records.replace(record);
}
