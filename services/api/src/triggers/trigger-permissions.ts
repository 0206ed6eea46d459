import type { Guarded } from '@switchyard/http';
import { parseReference, toUid, type TriggerInstanceRecord, type TriggerRecord } from '@switchyard/model';
import { isOneOf, type Store } from '@switchyard/storage';
import { uidOf } from '../permissions/guarded-record';
import { among, type Visibility } from '../permissions/visible-records';

type Found = Pick<Store, 'triggers' | 'triggerTypes' | 'triggerInstances'>;

/** A grant names a trigger, or its trigger type: triggers with parameters have generated names. */
export const visibleTriggers: Visibility<TriggerRecord> = {
  permission: 'trigger_view',
  matching: (granted) => ['ref', 'type'].flatMap((field) => among<TriggerRecord>(field, granted.refs('trigger'))),
};

/** The instances of visible triggers. */
export const visibleInstances = ({ triggers }: Pick<Found, 'triggers'>): Visibility<TriggerInstanceRecord> => ({
  permission: 'trigger_view',
  async matching(granted) {
    const refs = granted.refs('trigger');
    const ofTypes = refs.length === 0 ? [] : await triggers.list({ filter: { type: isOneOf(refs) }, fields: ['ref'] });
    return among('trigger', [...refs, ...ofTypes.map(({ ref }) => ref)]);
  },
});

export async function guardedTrigger({ triggers }: Pick<Found, 'triggers'>, named: string): Promise<Guarded> {
  const record = await triggers.find(named);
  return { uid: uidOf('trigger', named), parents: record ? uidsOf(record) : [] };
}

export async function guardedTriggerType(
  { triggerTypes }: Pick<Found, 'triggerTypes'>,
  named: string,
): Promise<Guarded> {
  const record = parseReference(named) ? undefined : await triggerTypes.get(named);
  return { uid: uidOf('trigger', named), parents: record ? [uidOf('trigger', record.ref)] : [] };
}

export async function guardedInstance({ triggers, triggerInstances }: Found, id: string): Promise<Guarded> {
  const instance = await triggerInstances.get(id);
  // Also for an unknown instance, so that the response time does not reveal which ones exist.
  const trigger = await triggers.byKey(instance?.trigger ?? '');
  const parents = [...(instance ? [uidOf('trigger', instance.trigger)] : []), ...(trigger ? uidsOf(trigger) : [])];
  return { uid: toUid('trigger_instance', id), parents };
}

export async function guardedTimer({ triggers }: Pick<Found, 'triggers'>, named: string): Promise<Guarded> {
  const record = parseReference(named) ? undefined : await triggers.get(named);
  return { uid: uidOf('timer', named), parents: record ? [uidOf('timer', record.ref)] : [] };
}

const uidsOf = ({ ref, type }: TriggerRecord): string[] => [uidOf('trigger', ref), uidOf('trigger', type)];
