import { isFault } from '@switchyard/base';
import type { TriggerRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import type { Triggers } from '@switchyard/triggers';

export interface TriggerRemoval {
  readonly store: Pick<Store, 'triggerTypes' | 'triggers'>;
  readonly triggers: Pick<Triggers, 'removeTrigger'>;
}

/**
 * Removes the triggers of a pack, and those of other packs for its trigger types. Those that rules listen to stay.
 * @returns references of those that were removed
 */
export async function removeTriggers({ store, triggers }: TriggerRemoval, pack: string): Promise<string[]> {
  const types = await store.triggerTypes.list({ filter: { pack }, fields: ['ref'] });
  const found = new Map<string, TriggerRecord>();
  for (const filter of [{ pack }, ...types.map(({ ref: type }) => ({ type }))])
    for (const trigger of await store.triggers.list({ filter, sort: { ref: 1 } })) found.set(trigger._id, trigger);
  const removed: string[] = [];
  for (const trigger of found.values()) if (await isRemoved(triggers, trigger)) removed.push(trigger.ref);
  return removed;
}

async function isRemoved({ removeTrigger }: TriggerRemoval['triggers'], trigger: TriggerRecord): Promise<boolean> {
  try {
    return await removeTrigger(trigger);
  } catch (error) {
    if (isFault(error) && error.code === 'trigger.in-use') return false;
    throw error;
  }
}
