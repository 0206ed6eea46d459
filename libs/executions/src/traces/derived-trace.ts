import { isId, isPlainObject, type Id } from '@switchyard/base';
import type {
  ExecutionRecord,
  RuleRecord,
  TraceComponent,
  TraceRecord,
  TriggerInstanceRecord,
} from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import { ACTION_TRIGGER, NOTIFY_TRIGGER } from '@switchyard/triggers';
import { askedTrace, plainTag, traceIdOf, traceOfInstance } from './traces';

/**
 * Derives a trace that is not stored from its first execution or instance, which is its only part.
 * @returns undefined when no trace has this id
 */
export async function derivedTrace(
  store: Pick<Store, 'executions' | 'triggerInstances'>,
  id: Id,
): Promise<TraceRecord | undefined> {
  if (!isId(id)) return undefined;
  const beginning = traceIdOf(id);
  const execution = await store.executions.get(beginning);
  if (execution) return begunByExecution(execution, id);
  const instance = await store.triggerInstances.get(beginning);
  if (!instance) return undefined;
  const own = await traceOfInstance(store, instance);
  if (own.id_ !== id) return undefined;
  const trace = emptyTrace(id, own.trace_tag, instance.occurrence_time);
  return { ...trace, trigger_instances: [instanceComponent(instance)] };
}

function begunByExecution(execution: ExecutionRecord, id: Id): TraceRecord | undefined {
  const { id_: given, trace_tag: tag } = askedTrace(execution.context['trace_context']);
  const elsewhere = given === undefined ? execution.parent !== undefined : given !== id;
  if (elsewhere) return undefined;
  const trace = emptyTrace(id, tag ?? plainTag.ofExecution(execution), execution.start_timestamp);
  return { ...trace, action_executions: [executionComponent(execution)] };
}

export const emptyTrace = (id: Id, tag: string, start: number): TraceRecord => ({
  _id: id,
  trace_tag: tag,
  start_timestamp: start,
  trigger_instances: [],
  rules: [],
  action_executions: [],
});

/** The execution whose end an instance reports; undefined for other instances. */
function endedExecution({ trigger, payload }: Pick<TriggerInstanceRecord, 'trigger' | 'payload'>): Id | undefined {
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
