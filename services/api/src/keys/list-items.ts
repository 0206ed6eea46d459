import { isFault } from '@switchyard/base';
import type { Datastore, Item, ItemQuery, UnreadableItem } from '@switchyard/datastore';
import type { AccessControl } from '@switchyard/identity';

type Items = Pick<Datastore, 'each' | 'count'>;

/**
 * The items that a user may view who needs a grant for each item of the system. Grants name single items, so all items
 * have to be checked.
 */
export const grantedItems = (items: Items, access: Pick<AccessControl, 'authorise'>, user: string): Items => ({
  async *each({ limit = Number.POSITIVE_INFINITY, offset = 0, ...query }: ItemQuery) {
    let visible = 0;
    for await (const item of items.each(query)) {
      if (!(await isGranted(access, user, item))) continue;
      if (++visible > offset) yield item;
      if (visible >= offset + limit) return;
    }
  },
  async count(query) {
    let visible = 0;
    for await (const item of items.each(query)) if (await isGranted(access, user, item)) visible++;
    return visible;
  },
});

/** Reads records as lists do. */
export async function* byId(
  items: AsyncIterable<Item | UnreadableItem>,
): AsyncGenerator<{ _id: string; item: Item | UnreadableItem }> {
  for await (const item of items) yield { _id: item.id, item };
}

async function isGranted(
  access: Pick<AccessControl, 'authorise'>,
  user: string,
  item: Item | UnreadableItem,
): Promise<boolean> {
  // A grant is for a name.
  if ('unreadable' in item) return false;
  if (item.user === user) return true;
  try {
    await access.authorise(user, 'key_value_pair_view', item.uid);
    return true;
  } catch (error) {
    if (isFault(error) && error.status === 403) return false;
    throw error;
  }
}
