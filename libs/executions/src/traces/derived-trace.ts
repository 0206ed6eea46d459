import { isPlainObject, type Id, isId } from '@switchyard/base';
import type {
  ExecutionRecord,
  TriggerInstanceRecord,
  RuleRecord,
  TraceComponent,
  TraceRecord,
} from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import { executionOfKey, ACTION_TRIGGER, NOTIFY_TRIGGER } from '@switchyard/triggers';

/** The reference to a trace that its executions and instances carry. */
export interface TraceContext {
  readonly id_: Id;
  readonly trace_tag: string;
}

/** The trace that a request names: the id of an existing one, or a tag for a new one. */
interface AskedTrace {
  readonly id_?: string;
  readonly trace_tag?: string;
}

export const askedTrace = (context: unknown): AskedTrace => {
  if (!isPlainObject(context)) return {};
  const { id_: id, trace_tag: tag } = context;
  return {
    ...(typeof id === 'string' && id !== '' ? { id_: id } : {}),
    ...(typeof tag === 'string' && tag !== '' ? { trace_tag: tag } : {}),
  };
};

/** Maximum number of ancestors to read when looking for the root of an execution. */
const DEEPEST = 100;

/** The trace of an execution: its own, or that of its nearest ancestor with one. Otherwise its root starts one. */
export async function traceOfExecution(
  { executions }: Pick<Store, 'executions'>,
  record: ExecutionRecord,
): Promise<TraceContext> {
  let first = record;
  for (let depth = 0; depth < DEEPEST; depth++) {
    const { id_: id, trace_tag: tag = '' } = askedTrace(first.context['trace_context']);
    if (id !== undefined) return { id_: id, trace_tag: tag };
    const parent = first.parent === undefined ? undefined : await executions.get(first.parent);
    if (!parent) break;
    first = parent;
  }
  return { id_: traceIdOf(first._id), trace_tag: plainTag.ofExecution(first) };
}

/** The default tags of traces. */
const plainTag = {
  ofExecution: ({ liveaction_id: id }: Pick<ExecutionRecord, 'liveaction_id'>) => `execution-${id}`,
  ofInstance: ({ _id }: Pick<TriggerInstanceRecord, '_id'>) => `trigger_instance-${_id}`,
};

/** What a default tag names: a live action by its id, or an instance. @returns undefined for other tags */
export function namedByTag(tag: string): { liveaction: Id } | { instance: Id } | undefined {
  const [, kind, id = ''] = /^(execution|trigger_instance)-([0-9a-f]{24})$/.exec(tag) ?? [];
  if (kind === undefined) return undefined;
  return kind === 'execution' ? { liveaction: id } : { instance: id };
}

/** The trace of an instance: the one it names, that of the execution whose end it reports, or a new one. */
export async function traceOfInstance(
  store: Pick<Store, 'executions'>,
  instance: TriggerInstanceRecord,
): Promise<TraceContext> {
  const { id_: id, trace_tag: tag } = askedTrace(instance.trace_context);
  if (id !== undefined) return { id_: id, trace_tag: tag ?? plainTag.ofInstance(instance) };
  const told = tag === undefined ? executionOfKey(instance.request_key) : undefined;
  const execution = told === undefined ? undefined : await store.executions.get(told);
  if (execution) return traceOfExecution(store, execution);
  return { id_: traceIdOf(instance._id), trace_tag: tag ?? plainTag.ofInstance(instance) };
}

/** The digits of an id that differ between processes. */
const PROCESS = { from: 8, to: 18 };

/**
 * The id of the trace that starts with an execution or a trigger instance: the same id with the digits of the process
 * inverted (`0` to `f`, `1` to `e`, …). So the id is known before the trace is stored, every process computes the same one,
 * and applying the function to the id of a trace gives the id of its first part.
 */
export const traceIdOf = (id: Id): Id =>
  id.slice(0, PROCESS.from) + [...id.slice(PROCESS.from, PROCESS.to)].map(turned).join('') + id.slice(PROCESS.to);

const turned = (digit: string): string => (15 - parseInt(digit, 16)).toString(16);

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
