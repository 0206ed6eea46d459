import { fault, isPlainObject } from '@switchyard/base';
import { checkReferenceParts, compileSchema, parseReference, toReference, type TriggerRecord } from '@switchyard/model';
import type { TriggerAnnouncer } from './dispatch';
import type { TriggersDependencies } from './triggers';
import { insertTrigger, triggerRecord, type TriggerDraft, storedRef } from './trigger-record';
import { checkTriggerParameters } from './check-parameters';

/** Triggers that clients create under names of their own. */
export interface NamedTriggers {
  /** @returns the existing trigger, unchanged, when the name is taken @throws Fault `storage.duplicate` and those of the checks */
  createTrigger(input: unknown): Promise<TriggerRecord>;
  /** @throws Fault `trigger.in-use` when renaming a trigger that a rule uses, and those of the checks */
  replaceTrigger(before: TriggerRecord, input: unknown): Promise<TriggerRecord>;
  /** @returns false when it did not exist @throws Fault `trigger.in-use` */
  removeTrigger(trigger: TriggerRecord): Promise<boolean>;
}

const text = { type: 'string' };

/** Clients send whole triggers, so other members are ignored. */
const shape = compileSchema(
  {
    type: 'object',
    properties: {
      name: { ...text, required: true },
      pack: { ...text, required: true },
      type: { ...text, minLength: 1, required: true },
      parameters: { type: 'object' },
      description: text,
    },
  },
  { allowNone: true },
);

export function createNamedTriggers(deps: TriggersDependencies, announce: TriggerAnnouncer): NamedTriggers {
  const { store, config, clock } = deps;
  const { triggers, triggerTypes, rules } = store;

  /** The type may not exist yet. If it does, the parameters are checked against it. */
  async function check(input: unknown): Promise<TriggerDraft> {
    shape.assert(input);
    const { name, pack, type: given, parameters, description } = input as TriggerDraft;
    checkReferenceParts(pack, name);
    const type = storedRef(given);
    if (!parseReference(type)) throw fault('trigger.reference', { ref: type }, { extra: { field: 'type' } });
    const draft = { name, pack, type, parameters: isPlainObject(parameters) ? parameters : {} };
    const stored = await triggerTypes.byKey(type);
    const how = {
      whole: config.system.validate_trigger_parameters,
      now: clock.nowMicros(),
      maxPatternLength: config.limits?.max_pattern_length,
    };
    if (stored) checkTriggerParameters(stored, draft.parameters, how);
    return typeof description === 'string' ? { ...draft, description } : draft;
  }

  async function refuseUsed({ ref }: TriggerRecord): Promise<void> {
    const [rule] = await rules.list({ filter: { trigger: ref }, limit: 1, fields: ['ref'] });
    if (rule) throw fault('trigger.in-use', { ref, rule: rule.ref });
  }

  return {
    async createTrigger(input) {
      const draft = await check(input);
      const existing = await triggers.byKey(toReference(draft.pack, draft.name));
      if (existing) return existing;
      const trigger = await triggers.insert(triggerRecord(draft));
      announce.changed('create', trigger);
      return trigger;
    },
    async replaceTrigger(before, input) {
      const trigger = triggerRecord(await check(input), before._id);
      if (trigger.ref !== before.ref) await refuseUsed(before);
      if (!(await triggers.replace(trigger))) throw fault('resource.changed-meanwhile', { id: before.ref });
      announce.changed('update', trigger);
      return trigger;
    },
    async removeTrigger(trigger) {
      await refuseUsed(trigger);
      if (!(await triggers.remove(trigger._id))) return false;
      // A rule may have started to use it meanwhile.
      if ((await rules.count({ trigger: trigger.ref })) > 0) await insertTrigger(triggers, trigger);
      else announce.changed('delete', trigger);
      return true;
    },
  };
}
