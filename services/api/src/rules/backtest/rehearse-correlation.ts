import { messageOf, type Id, type Micros } from '@switchyard/base';
import { inTurns, renderText } from '@switchyard/expressions';
import {
  decideCorrelation,
  ripe,
  settled,
  type CompiledRule,
  type CorrelationState,
  type TriggerInstanceRecord,
} from '@switchyard/model';
import { isOneOf, type Store } from '@switchyard/storage';

/** A match that would run the action. */
export interface ReadyRun {
  readonly instance: TriggerInstanceRecord;
  /** The value of `trigger` in templates. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** The reason why it would not run after all. */
  readonly failure?: string;
}

/** A rule's correlation with a clock that moves from event to event. */
export interface CorrelationRehearsal {
  /** The runs that became due before a point in time. */
  before(time: Micros): ReadyRun[];
  match(instance: TriggerInstanceRecord): Promise<ReadyRun[]>;
  suppressed(): number;
}

export function rehearseCorrelation(
  store: Pick<Store, 'triggerInstances'>,
  { correlation }: CompiledRule,
): CorrelationRehearsal {
  const groups = new Map<string, CorrelationState>();
  const waiting = new Map<Id, TriggerInstanceRecord>();
  let [matches, ran] = [0, 0];
  const counted = (runs: ReadyRun[]): ReadyRun[] => {
    ran += runs.length;
    return runs;
  };
  return {
    suppressed: () => matches - ran,
    before(time) {
      const due = [...groups].flatMap(([group, state]) => {
        const events = ripe(state, time);
        if (events.length > 0) groups.set(group, settled(state, events));
        return events;
      });
      const instances = due.sort((a, b) => a.due - b.due).flatMap(({ instance }) => waiting.get(instance) ?? []);
      for (const { _id } of instances) waiting.delete(_id);
      return counted(instances.map((instance) => ({ instance, payload: instance.payload })));
    },
    async match(instance) {
      matches += 1;
      const { _id, occurrence_time: at, payload } = instance;
      if (!correlation) return counted([{ instance, payload }]);
      const group = await rendered(correlation.groupBy, payload);
      if ('failure' in group) return counted([{ instance, payload, failure: group.failure }]);
      const before = groups.get(group.text);
      const { state, run, members } = decideCorrelation(correlation, before, { instance: _id, at }, at);
      groups.set(group.text, state);
      if (correlation.name === 'debounce') waiting.set(_id, instance);
      for (const event of before?.pending ?? []) if (!state.pending.includes(event)) waiting.delete(event.instance);
      if (!run) return [];
      const events = members && (await payloadsOf(store, members));
      return counted([{ instance, payload: events ? { ...payload, events } : payload }]);
    },
  };
}

async function rendered(
  groupBy: string | undefined,
  payload: unknown,
): Promise<{ readonly text: string } | { readonly failure: string }> {
  try {
    return { text: groupBy === undefined ? '' : await inTurns(() => renderText(groupBy, { trigger: payload })) };
  } catch (error) {
    return { failure: messageOf(error) };
  }
}

async function payloadsOf({ triggerInstances }: Pick<Store, 'triggerInstances'>, ids: readonly Id[]) {
  const found = await triggerInstances.list({ filter: { _id: isOneOf(ids) } });
  const payloads = new Map(found.map(({ _id, payload }) => [_id, payload]));
  return ids.flatMap((id) => payloads.get(id) ?? []);
}
