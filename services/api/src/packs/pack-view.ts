import { fault } from '@switchyard/base';
import type { RouteRequest } from '@switchyard/http';
import type { PackRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';

/** A pack as clients see it, including custom attributes of its pack.yaml. */
export const packView = ({ _id, other, fingerprint: _, ...shown }: PackRecord): Record<string, unknown> => ({
  ...other,
  id: _id,
  ...shown,
});

/** Finds the pack that a path names by reference or id. @throws Fault `resource.pack-not-found` */
export async function findPack(
  { packs }: Pick<Store, 'packs'>,
  { params: { ref_or_id: given } }: Pick<RouteRequest<unknown, { readonly ref_or_id: string }>, 'params'>,
): Promise<PackRecord> {
  const record = await packs.find(given);
  if (!record) throw fault('resource.pack-not-found', { id: given });
  return record;
}
