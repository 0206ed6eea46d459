import { isFault } from '@switchyard/base';
import type { Datastore, Item, ItemQuery, UnreadableItem } from '@switchyard/datastore';
import { checkRestriction, type AccessControl, type Actor } from '@switchyard/identity';

type Items = Pick<Datastore, 'each' | 'count'>;

/**
 * The items that a user may view who needs a grant for each item of the system. Grants name single items, so all items
 * have to be checked.
 */
export const grantedItems = (items: Items, access: Pick<AccessControl, 'authorise'>, viewer: Actor): Items => ({
  async *each({ limit = Number.POSITIVE_INFINITY, offset = 0, ...query }: ItemQuery) {
    let visible = 0;
    for await (const item of items.each(query)) {
      if (!(await isGranted(access, viewer, item))) continue;
      if (++visible > offset) yield item;
      if (visible >= offset + limit) return;
    }
  },
  async count(query) {
    let visible = 0;
    for await (const item of items.each(query)) if (await isGranted(access, viewer, item)) visible++;
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
  viewer: Actor,
  item: Item | UnreadableItem,
): Promise<boolean> {
  // A grant is for a name.
  if ('unreadable' in item) return false;
  try {
    if (item.user === viewer.user) checkRestriction(viewer, 'key_value_pair_view', item.uid);
    else await access.authorise(viewer, 'key_value_pair_view', item.uid);
    return true;
  } catch (error) {
    if (isFault(error) && error.status === 403) return false;
    throw error;
  }
}
