import { isFault } from '@switchyard/base';
import { recordChange, type Publisher } from '@switchyard/messaging';
import type { PackRecord, SensorTypeRecord, TriggerRecord } from '@switchyard/model';
import type { RecordPage, Store, StoreWithoutExecutions } from '@switchyard/storage';
import type { Triggers } from '@switchyard/triggers';

export interface PackRemoval extends SensorRemoval {
  readonly store: StoreWithoutExecutions;
  readonly triggers: Pick<Triggers, 'removeRule' | 'removeTrigger' | 'removeType'>;
}

export interface RemovedPack {
  /** References of removed records, by kind. */
  readonly removed: Readonly<Record<string, readonly string[]>>;
  /** Triggers used by rules of other packs. They stay, but do not fire until the pack is registered again. */
  readonly kept: Readonly<Record<string, readonly string[]>>;
}

interface Step {
  readonly kind: string;
  /** @returns references of the removed records */
  remove(removal: PackRemoval, pack: string): Promise<string[]>;
}

/*
 * Referring records are removed before what they refer to: rules, aliases and policies refer to actions, rules and triggers
 * to trigger types, sensors dispatch triggers, and a configuration needs its schema. So no dangling reference remains,
 * even if this stops halfway. The pack comes last: while any of it remains, it can be found and removed again.
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
 * Removes everything registered from a pack, then the pack. After a failure or crash, run it again. Files stay on disk.
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

interface OfPack {
  readonly ref: string;
  readonly pack: string;
}

interface Records<T> {
  list(page: RecordPage<OfPack>): Promise<T[]>;
}

async function each<T extends OfPack>(
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
      .catch((error: unknown) => logger.warn('Failed to announce the removal of an alias.', { error }));
  }
  return found.map(({ ref }) => ref);
}

export interface SensorRemoval {
  readonly store: Pick<Store, 'sensorTypes'>;
  readonly publisher: Pick<Publisher, 'publish'>;
  readonly logger: { warn(message: string, details?: Record<string, unknown>): void };
}

/**
 * Removes a sensor and notifies the containers, so that the one that runs it stops it.
 * @returns false when it did not exist
 */
export async function removeSensor(
  { store, publisher, logger }: SensorRemoval,
  { _id, ref }: Pick<SensorTypeRecord, '_id' | 'ref'>,
): Promise<boolean> {
  const removed = await store.sensorTypes.remove(_id);
  await publisher
    .publish(recordChange({ record: 'sensor', change: 'delete', id: _id, ref }))
    .catch((error: unknown) =>
      logger.warn('Failed to announce the removal of a sensor; containers will find it by polling.', { error }),
    );
  return removed;
}

export interface TriggerRemoval {
  readonly store: Pick<Store, 'triggerTypes' | 'triggers'>;
  readonly triggers: Pick<Triggers, 'removeTrigger'>;
}

/**
 * Removes the triggers of a pack, and those of other packs with its trigger types. Triggers used by rules stay.
 * @returns references of the removed triggers
 */
async function removeTriggers({ store, triggers }: TriggerRemoval, pack: string): Promise<string[]> {
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
