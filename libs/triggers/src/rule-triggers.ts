import { fault } from '@switchyard/base';
import { parseReference, type TriggerRecord, type TriggerTypeRecord } from '@switchyard/model';
import type { TriggerAnnouncer } from './dispatch';
import type { TriggersDependencies } from './triggers';
import { findTrigger, insertTrigger, isNameless, sharedTrigger, triggerRecord, storedRef } from './trigger-record';
import { checkTriggerParameters } from './check-parameters';
import { isSimple } from './trigger-types/trigger-type-draft';

/*
 * Triggers that exist as long as a rule uses them. There is no stored reference count: the rules in the store are the
 * count. Writing and removing rules can race, so each side checks again after its own write:
 *  1. A writer finds or creates the trigger, writes the rule, and checks that the trigger still exists. If not, it puts
 *     the same record back.
 *  2. A remover counts the rules of the trigger, removes the trigger if there are none, and counts again. If there is one
 *     now, it puts the same record back.
 * At least one of the second checks sees the other's write. Both may restore the trigger, because the record is the same.
 */
export interface RuleTriggers {
  /**
   * Checks whether a trigger of this type and parameters is valid.
   * @param type the type record, if it exists @throws Fault of the `trigger.` family, `schema.violated`
   */
  checkTrigger(type: CheckedType | undefined, given: string, parameters: Readonly<Record<string, unknown>>): void;
  /** Finds or creates the trigger of a type with these parameters. @throws Fault of the `trigger.` family, `schema.violated` */
  triggerFor(type: string, parameters: Readonly<Record<string, unknown>>): Promise<TriggerRecord>;
  /** Runs `write`, which stores a rule for the trigger. If it fails, an unused trigger is removed again. */
  withTrigger<T>(
    type: string,
    parameters: Readonly<Record<string, unknown>>,
    write: (trigger: TriggerRecord) => Promise<T>,
  ): Promise<T>;
  /** Removes the former trigger of a rule, unless another rule uses it. */
  release(ref: string): Promise<void>;
  /** Removes unused triggers left behind by a process that died between two writes. */
  releaseAbandoned(): Promise<void>;
}

export function createRuleTriggers(deps: TriggersDependencies, announce: TriggerAnnouncer): RuleTriggers {
  const { triggers, triggerTypes, rules } = deps.store;
  const isUsed = async (ref: string): Promise<boolean> => (await rules.count({ trigger: ref })) > 0;

  /** Stores a trigger, or finds the one that another process has stored. */
  async function put(record: TriggerRecord): Promise<TriggerRecord> {
    const { trigger, created } = await insertTrigger(triggers, record);
    if (created) announce.changed('create', trigger);
    return trigger;
  }

  async function triggerFor(given: string, parameters: TriggerParameters): Promise<TriggerRecord> {
    const ref = storedRef(given);
    const type = await triggerTypes.byKey(ref);
    assertValid(deps, type, ref, parameters);
    return (await findTrigger(triggers, ref, parameters)) ?? (await put(newTrigger(type, parameters)));
  }

  async function release(ref: string): Promise<void> {
    const trigger = await triggers.byKey(ref);
    if (!trigger || !(await isTransient(triggerTypes, trigger)) || (await isUsed(ref))) return;
    if (!(await triggers.remove(trigger._id))) return;
    if (await isUsed(ref)) await insertTrigger(triggers, trigger);
    else announce.changed('delete', trigger);
  }

  return {
    checkTrigger: (type, given, parameters) => assertValid(deps, type, given, parameters),
    triggerFor,
    async withTrigger(type, parameters, write) {
      const trigger = await triggerFor(type, parameters);
      let written;
      try {
        written = await write(trigger);
      } catch (error) {
        await release(trigger.ref);
        throw error;
      }
      if (!(await triggers.get(trigger._id))) await put(trigger);
      return written;
    },
    release,
    async releaseAbandoned() {
      const [all, listening] = await Promise.all([
        triggers.list({ fields: ['ref', 'name', 'type'] }),
        rules.list({ fields: ['trigger'] }),
      ]);
      const used = new Set(listening.map(({ trigger }) => trigger));
      for (const { ref } of all.filter((trigger) => isNameless(trigger) && !used.has(trigger.ref))) await release(ref);
    },
  };
}

type TriggerParameters = Readonly<Record<string, unknown>>;
type CheckedType = Pick<TriggerTypeRecord, 'ref' | 'parameters_schema'>;

function assertValid<T extends CheckedType>(
  { config, clock }: TriggersDependencies,
  type: T | undefined,
  given: string,
  parameters: TriggerParameters,
): asserts type is T {
  if (type)
    return checkTriggerParameters(type, parameters, {
      whole: config.system.validate_trigger_parameters,
      now: clock.nowMicros(),
      maxPatternLength: config.limits?.max_pattern_length,
    });
  const ref = storedRef(given);
  if (isEmpty(parameters)) throw fault('trigger.without-parameters', { type: ref });
  if (!parseReference(ref)) throw fault('trigger.reference', { ref });
  throw fault('trigger.type-unknown', { ref });
}

/** Without parameters, the trigger has the name of the type, which sensors use to dispatch it. */
function newTrigger({ ref, name, pack }: TriggerTypeRecord, parameters: TriggerParameters): TriggerRecord {
  const draft = { pack, type: ref, parameters };
  return isEmpty(parameters) ? triggerRecord({ name, ...draft }) : sharedTrigger(draft);
}

/** Whether a trigger exists only for rules. The trigger of a simple type and triggers created by clients stay. */
async function isTransient(
  triggerTypes: TriggersDependencies['store']['triggerTypes'],
  trigger: TriggerRecord,
): Promise<boolean> {
  if (isNameless(trigger)) return true;
  if (trigger.ref !== trigger.type) return false;
  const type = await triggerTypes.byKey(trigger.type);
  return !type || !isSimple(type);
}

const isEmpty = (parameters: TriggerParameters): boolean => Object.keys(parameters).length === 0;
