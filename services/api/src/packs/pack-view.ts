import { fault } from '@switchyard/base';
import type { RouteRequest } from '@switchyard/http';
import type { PackRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import { Type } from '@sinclair/typebox';

/** A pack as clients see it, with the attributes of its pack.yaml that only its author knows. */
export const packView = ({ _id, other, ...shown }: PackRecord): Record<string, unknown> => ({
  ...other,
  id: _id,
  ...shown,
});

export const packSchema = Type.Object({ id: Type.String() });

/** The pack that a path names by reference or id. @throws Fault `resource.pack-not-found` */
export async function findPack(
  { packs }: Pick<Store, 'packs'>,
  { params }: Pick<RouteRequest, 'params'>,
): Promise<PackRecord> {
  const given = params['ref_or_id'] ?? '';
  const record = await packs.find(given);
  if (!record) throw fault('resource.pack-not-found', { id: given });
  return record;
}
