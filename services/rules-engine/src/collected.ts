import type { Id } from '@switchyard/base';
import type { TriggerInstanceRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';

/** The payload of the last of some instances, with those of all of them as `events`, in order. */
export async function collected(
  { triggerInstances }: Pick<Store, 'triggerInstances'>,
  last: TriggerInstanceRecord,
  members: readonly Id[],
): Promise<Record<string, unknown>> {
  const records = await triggerInstances.list({ filter: { _id: { $in: [...members] } } });
  const payloads = new Map(records.map(({ _id, payload }) => [_id, payload]));
  const events = members.flatMap((id) => payloads.get(id) ?? []);
  return { ...last.payload, events };
}
