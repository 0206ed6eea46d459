import { recordChange } from '@switchyard/messaging';
import type { PackRecord } from '@switchyard/model';
import type { Page, Store } from '@switchyard/storage';
import type { Triggers } from '@switchyard/triggers';
import { removeSensor, type SensorRemoval } from './remove-sensor';
import { removeTriggers } from './remove-triggers';

export interface PackRemoval extends SensorRemoval {
  readonly store: Store;
  readonly triggers: Pick<Triggers, 'removeRule' | 'removeTrigger' | 'removeType'>;
}

export interface RemovedPack {
  /** References of what was there, by kind. */
  readonly removed: Readonly<Record<string, readonly string[]>>;
  /** Triggers that rules of other packs listen to: they stay, and tell nothing until the pack is there again. */
  readonly kept: Readonly<Record<string, readonly string[]>>;
}

interface Step {
  readonly kind: string;
  /** @returns references of what was there */
  remove(removal: PackRemoval, pack: string): Promise<string[]>;
}

/*
 * Whoever names others goes before them: rules, aliases and policies name actions, rules and triggers name trigger types,
 * sensors dispatch them, and a configuration is read by the schema. So nothing that is left names something that is
 * gone, whenever this ends. The pack comes last: while there is anything of it, it can be found, and removed again.
 */
const STEPS: readonly Step[] = [
  { kind: 'rules', remove: ({ store, triggers }, pack) => each(store.rules, pack, triggers.removeRule) },
  { kind: 'aliases', remove: removeAliases },
  { kind: 'policies', remove: ({ store: { policies } }, pack) => each(policies, pack, byId(policies)) },
  {
    kind: 'sensors',
    remove: (removal, pack) => each(removal.store.sensorTypes, pack, (sensor) => removeSensor(removal, sensor)),
  },
  { kind: 'triggers', remove: removeTriggers },
  { kind: 'trigger_types', remove: ({ store, triggers }, pack) => each(store.triggerTypes, pack, triggers.removeType) },
  { kind: 'actions', remove: ({ store: { actions } }, pack) => each(actions, pack, byId(actions)) },
  { kind: 'configs', remove: async ({ store }, pack) => ((await store.configs.removeOf(pack)) ? [pack] : []) },
  {
    kind: 'config_schemas',
    remove: async ({ store }, pack) => ((await store.configSchemas.removeOf(pack)) ? [pack] : []),
  },
];

/**
 * Removes everything that a pack has registered, then the pack. What fails, or is killed, is finished by doing it again.
 * Files stay where they are.
 */
export async function removePack(
  removal: PackRemoval,
  { _id, ref }: Pick<PackRecord, '_id' | 'ref'>,
): Promise<RemovedPack> {
  const removed: Record<string, readonly string[]> = {};
  for (const { kind, remove } of STEPS) {
    const refs = await remove(removal, ref);
    if (refs.length > 0) removed[kind] = refs;
  }
  const used = await removal.store.triggers.list({ filter: { pack: ref }, sort: { ref: 1 }, fields: ['ref'] });
  if (await removal.store.packs.remove(_id)) removed['packs'] = [ref];
  return { removed, kept: used.length === 0 ? {} : { triggers: used.map((trigger) => trigger.ref) } };
}

interface Records<T> {
  list(page: Page): Promise<T[]>;
}

async function each<T extends { ref: string }>(
  records: Records<T>,
  pack: string,
  remove: (record: T) => Promise<boolean>,
): Promise<string[]> {
  const found = await records.list({ filter: { pack }, sort: { ref: 1 } });
  for (const record of found) await remove(record);
  return found.map(({ ref }) => ref);
}

const byId =
  (records: { remove(id: string): Promise<boolean> }) =>
  ({ _id }: { _id: string }) =>
    records.remove(_id);

async function removeAliases({ store, publisher, logger }: PackRemoval, pack: string): Promise<string[]> {
  const found = await store.actionAliases.removeOf(pack);
  for (const { _id: id, ref } of found) {
    await publisher
      .publish(recordChange({ record: 'actionalias', change: 'delete', id, ref }))
      .catch((error: unknown) => logger.warn('Watchers of aliases could not be told of a change.', { error }));
  }
  return found.map(({ ref }) => ref);
}
