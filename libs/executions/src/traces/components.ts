import type { Id } from '@switchyard/base';
import type { ExecutionRecord, RuleRecord, TraceComponent, TriggerInstanceRecord } from '@switchyard/model';
import { isPlainObject } from '@switchyard/base';
import { ACTION_TRIGGER, NOTIFY_TRIGGER } from '@switchyard/triggers';

/** The execution whose end an instance tells of; undefined for other instances. */
export function endedExecution({
  trigger,
  payload,
}: Pick<TriggerInstanceRecord, 'trigger' | 'payload'>): Id | undefined {
  const id = payload?.['execution_id'];
  return typeof id === 'string' && (trigger === ACTION_TRIGGER || trigger === NOTIFY_TRIGGER) ? id : undefined;
}

export function instanceComponent(instance: TriggerInstanceRecord): TraceComponent {
  const { _id, trigger, occurrence_time } = instance;
  return { object_id: _id, ref: trigger, updated_at: occurrence_time, caused_by: causeOf(instance) };
}

function causeOf(instance: TriggerInstanceRecord): TraceComponent['caused_by'] {
  const execution = endedExecution(instance);
  if (execution !== undefined) return { type: 'action_execution', id: execution };
  const reEmitted = instance.payload?.['__context'];
  const original = isPlainObject(reEmitted) ? reEmitted['original_id'] : undefined;
  return typeof original === 'string' ? { type: 'trigger_instance', id: original } : {};
}

export const ruleComponent = (
  { _id, ref }: Pick<RuleRecord, '_id' | 'ref'>,
  { _id: instance, occurrence_time }: TriggerInstanceRecord,
): TraceComponent => ({
  object_id: _id,
  ref,
  updated_at: occurrence_time,
  caused_by: { type: 'trigger_instance', id: instance },
});

type Caused = Pick<ExecutionRecord, '_id' | 'action_ref' | 'start_timestamp' | 'context' | 'parent'>;

export const executionComponent = (record: Caused): TraceComponent => ({
  object_id: record._id,
  ref: record.action_ref,
  updated_at: record.start_timestamp,
  caused_by: causeOfExecution(record),
});

function causeOfExecution({ context, parent }: Caused): TraceComponent['caused_by'] {
  if (parent !== undefined) return { type: 'action_execution', id: parent };
  const rule = idIn(context['rule']);
  const instance = idIn(context['trigger_instance']);
  return rule !== undefined && instance !== undefined ? { type: 'rule', id: `${rule}:${instance}` } : {};
}

const idIn = (value: unknown): string | undefined =>
  isPlainObject(value) && typeof value['id'] === 'string' ? value['id'] : undefined;
