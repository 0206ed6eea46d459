import { fault } from '@switchyard/base';
import type { TriggerRecord, TriggerTypeRecord } from '@switchyard/model';
import type { Announcer } from './announce';
import { findTrigger, insertTrigger } from './find-triggers';
import { storedRef } from './names';
import { checkParameters } from './parameters/check-parameters';
import { isNameless, sharedTrigger, triggerRecord } from './trigger-record';
import { isSimple } from './trigger-types/trigger-type-draft';
import type { TriggersDependencies } from './triggers-dependencies';

/*
 * Triggers that live as long as a rule listens to them. No number of listeners is stored: the rules in the store are
 * the number. Two things can then happen at once, and each side looks again after its own write:
 *  1. Whoever writes a rule finds or makes its trigger, writes the rule, and looks whether the trigger is still there;
 *     if not, it puts the same record back.
 *  2. Whoever takes a rule away counts the rules of its trigger, removes the trigger when there is none, and counts again;
 *     if there is one now, it puts the same record back.
 * One of the two second looks sees the other's write. Both may put it back: it is the same record.
 */
export interface RuleTriggers {
  /**
   * Checks whether there can be such a trigger.
   * @param type what is known as the type @throws Fault of the `trigger.` family, `schema.violated`
   */
  checkTrigger(
    type: Pick<TriggerTypeRecord, 'ref' | 'parameters_schema'> | undefined,
    given: string,
    parameters: Readonly<Record<string, unknown>>,
  ): void;
  /** Finds or makes the trigger of a type with parameters. @throws Fault of the `trigger.` family, `schema.violated` */
  triggerFor(type: string, parameters: Readonly<Record<string, unknown>>): Promise<TriggerRecord>;
  /** Runs a write that makes a rule listen to a trigger. When it fails, a trigger that nobody listens to goes again. */
  withTrigger<T>(
    type: string,
    parameters: Readonly<Record<string, unknown>>,
    write: (trigger: TriggerRecord) => Promise<T>,
  ): Promise<T>;
  /** Removes the trigger of a rule that was taken away or has another one now, if no other rule listens to it. */
  release(ref: string): Promise<void>;
  /** Removes triggers that were left behind by a process that ended between two writes. */
  releaseAbandoned(): Promise<void>;
}

export function createRuleTriggers(deps: TriggersDependencies, announce: Announcer): RuleTriggers {
  const { store, config, clock } = deps;
  const { triggers, triggerTypes, rules } = store;

  function checkTrigger(
    type: Parameters<RuleTriggers['checkTrigger']>[0],
    given: string,
    parameters: Readonly<Record<string, unknown>>,
  ): asserts type is NonNullable<typeof type> {
    if (type)
      return checkParameters(type, parameters, {
        whole: config.system.validate_trigger_parameters,
        now: clock.nowMicros(),
        maxPatternLength: config.limits?.max_pattern_length,
      });
    const ref = storedRef(given);
    if (isEmpty(parameters)) throw fault('trigger.without-parameters', { type: ref });
    throw fault('trigger.type-unknown', { ref });
  }

  async function triggerFor(given: string, parameters: Readonly<Record<string, unknown>>): Promise<TriggerRecord> {
    const ref = storedRef(given);
    const type = await triggerTypes.byKey(ref);
    checkTrigger(type, ref, parameters);
    const known = await findTrigger(triggers, ref, parameters);
    if (known) return known;
    // Without parameters it bears the name of the type, by which sensors dispatch it.
    const { name, pack } = type;
    const draft = { pack, type: ref, parameters };
    const record = isEmpty(parameters) ? triggerRecord({ name, ...draft }) : sharedTrigger(draft);
    const { trigger, created } = await insertTrigger(triggers, record);
    if (created) announce.changed('create', trigger);
    return trigger;
  }

  const isUsed = async (ref: string): Promise<boolean> => (await rules.count({ trigger: ref })) > 0;

  /** Whether it was made for rules: the one trigger of a simple type stays, and so do those that were made by hand. */
  async function isTransient(trigger: TriggerRecord): Promise<boolean> {
    if (isNameless(trigger)) return true;
    if (trigger.ref !== trigger.type) return false;
    const type = await triggerTypes.byKey(trigger.type);
    return !type || !isSimple(type);
  }

  async function release(ref: string): Promise<void> {
    const trigger = await triggers.byKey(ref);
    if (!trigger || !(await isTransient(trigger)) || (await isUsed(ref))) return;
    if (!(await triggers.remove(trigger._id))) return;
    if (await isUsed(ref)) await insertTrigger(triggers, trigger);
    else announce.changed('delete', trigger);
  }

  const withTrigger: RuleTriggers['withTrigger'] = async (type, parameters, write) => {
    const trigger = await triggerFor(type, parameters);
    let written;
    try {
      written = await write(trigger);
    } catch (error) {
      await release(trigger.ref);
      throw error;
    }
    await keep(trigger);
    return written;
  };

  async function keep(trigger: TriggerRecord): Promise<void> {
    if (await triggers.get(trigger._id)) return;
    const { created } = await insertTrigger(triggers, trigger);
    if (created) announce.changed('create', trigger);
  }

  async function releaseAbandoned(): Promise<void> {
    const [all, listening] = await Promise.all([
      triggers.list({ fields: ['ref', 'name', 'type'] }),
      rules.list({ fields: ['trigger'] }),
    ]);
    const used = new Set(listening.map(({ trigger }) => trigger));
    for (const { ref } of all.filter((trigger) => isNameless(trigger) && !used.has(trigger.ref))) await release(ref);
  }

  return { checkTrigger, triggerFor, withTrigger, release, releaseAbandoned };
}

const isEmpty = (parameters: Readonly<Record<string, unknown>>): boolean => Object.keys(parameters).length === 0;
