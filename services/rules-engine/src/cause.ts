import { KIB, microsToIso } from '@switchyard/base';
import type { ExecutionRequest } from '@switchyard/executions';
import type { RuleRecord, TriggerInstanceRecord } from '@switchyard/model';
import type { TriggerPage } from './rule-book';

/** The copies of trigger, type, instance and rule that an execution keeps. */
export type Cause = NonNullable<ExecutionRequest['cause']>;

/** Larger payloads are left to the instance. */
const LARGEST_PAYLOAD = 256 * KIB;

/** The part of the copies that all rules of an instance share. */
export function instanceCause(instance: TriggerInstanceRecord, { trigger, type }: TriggerPage): Cause {
  const { _id: id, trigger: ref, payload, occurrence_time, status } = instance;
  const isLarge = JSON.stringify(payload).length > LARGEST_PAYLOAD;
  return {
    ...(trigger ? { trigger: withId(trigger, ['parameters_hash']) } : {}),
    ...(type ? { trigger_type: withId(type) } : {}),
    trigger_instance: {
      id,
      trigger: ref,
      occurrence_time: microsToIso(occurrence_time),
      status,
      ...(isLarge ? {} : { payload }),
    },
  };
}

/** The secrets among the parameters of its action are masked with the request. @param shared of the instance */
export function ruleCause(rule: RuleRecord, { trigger }: Cause): Cause {
  const { ref = rule.trigger, type = rule.trigger, parameters = {} } = trigger ?? {};
  return { rule: { ...withId(rule, ['correlation']), trigger: { ref, type, parameters } } };
}

function withId({ _id: id, ...record }: { _id: string }, without: readonly string[] = []): Record<string, unknown> {
  const kept = Object.entries(record).filter(([name]) => !without.includes(name));
  return { id, ...Object.fromEntries(kept) };
}
