import type { TriggerRecord } from '@switchyard/model';
import type { SensorTrigger, TriggerChange } from './process/protocol';

/** A trigger in the form that sensors have always received. */
export function sensorTriggerView({
  _id,
  ref,
  uid,
  name,
  pack,
  type,
  parameters,
  description,
}: TriggerRecord): SensorTrigger {
  return {
    id: _id,
    ref,
    uid,
    name,
    pack,
    type,
    parameters,
    ...(description === undefined ? {} : { description }),
  };
}

/** The triggers of its types that one sensor process has been sent. */
export class KnownTriggers {
  readonly #known = new Map<string, { view: SensorTrigger; text: string }>();

  /** Sends the process the differences. @param now all triggers of its types */
  update(now: readonly TriggerRecord[], tell: (change: TriggerChange, trigger: SensorTrigger) => void): void {
    const present = new Set(now.map(({ _id }) => _id));
    for (const [id, { view }] of this.#known) {
      if (present.has(id)) continue;
      this.#known.delete(id);
      tell('remove', view);
    }
    for (const record of now) {
      const view = sensorTriggerView(record);
      const text = JSON.stringify(view);
      const known = this.#known.get(record._id);
      if (known?.text === text) continue;
      this.#known.set(record._id, { view, text });
      tell(known ? 'update' : 'add', view);
    }
  }
}
