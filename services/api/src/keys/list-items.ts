import { isFault } from '@switchyard/base';
import type { Datastore, Item, ItemQuery } from '@switchyard/datastore';
import type { PageRange } from '@switchyard/http';
import type { AccessControl } from '@switchyard/identity';

interface Listed {
  readonly items: readonly Item[];
  readonly total: number;
}

/**
 * One page of the items that somebody may view who needs a grant for each item of the system. Grants are known item by
 * item, so that all have to be looked at.
 */
export async function listGranted(
  datastore: Pick<Datastore, 'list'>,
  access: Pick<AccessControl, 'authorise'>,
  user: string,
  { query, page }: { readonly query: ItemQuery; readonly page: PageRange },
): Promise<Listed> {
  const { items } = await datastore.list(query);
  const granted = await Promise.all(items.map((item) => isGranted(access, user, item)));
  const visible = items.filter((_, index) => granted[index]);
  const { offset, limit = visible.length } = page;
  return { items: visible.slice(offset, offset + limit), total: visible.length };
}

async function isGranted(access: Pick<AccessControl, 'authorise'>, user: string, item: Item): Promise<boolean> {
  if (item.user === user) return true;
  try {
    await access.authorise(user, 'key_value_pair_view', item.uid);
    return true;
  } catch (error) {
    if (isFault(error) && error.code === 'auth.forbidden') return false;
    throw error;
  }
}
