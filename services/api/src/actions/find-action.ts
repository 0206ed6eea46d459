import { fault } from '@switchyard/base';
import type { RouteRequest } from '@switchyard/http';
import type { ActionRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';

/** The action that a path names by reference or id. @throws Fault `resource.ref-not-found` */
export async function findAction(
  { actions }: Pick<Store, 'actions'>,
  { params: { ref_or_id: given } }: Pick<RouteRequest<unknown, { readonly ref_or_id: string }>, 'params'>,
): Promise<ActionRecord> {
  const record = await actions.find(given);
  if (!record) throw fault('resource.ref-not-found', { id: given });
  return record;
}
