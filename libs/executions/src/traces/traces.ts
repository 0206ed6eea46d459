import { DAY_MS, fault, isId, isPlainObject, MS_MICROS, type Id } from '@switchyard/base';
import {
  pythonRepr,
  type ExecutionRecord,
  type RuleRecord,
  type TraceRecord,
  type TriggerInstanceRecord,
} from '@switchyard/model';
import { atLeast, type Store, type TraceComponents } from '@switchyard/storage';
import { executionOfKey, namesNoEvent } from '@switchyard/triggers';
import {
  derivedTrace,
  emptyTrace,
  executionComponent,
  instanceComponent,
  ruleComponent,
  askedTrace,
  traceIdOf,
  traceOfExecution,
  traceOfInstance,
  type TraceContext,
} from './derived-trace';
import { findTraces, type FoundTraces, type TraceQuery } from './find-traces';
import { traceView } from './trace-view';

/*
 * A trace links executions and trigger instances by cause and effect.
 *
 * 1. An execution names its trace in its context, an instance in its trace context. Children of an execution, and instances
 *    that report its end, name none: they belong to the trace of the execution.
 * 2. A trace is stored when a request gave it a tag, when a rule matched, or when something else joins it. The trace of a
 *    plain execution is not stored. It is derived from the records when it is read.
 * 3. The id of a trace is computed from the id of its first part, so it is known before the trace is stored.
 */
export interface Traces {
  /**
   * The trace context of a request, as stored in the execution. @returns undefined if the request names no trace
   * @throws Fault `trace.not-found`, `execution.context-member`
   */
  forRequest(given: unknown, execution: Id): Promise<Partial<TraceContext> | undefined>;
  /** Adds an execution to the trace that its request named. */
  noteExecution(record: ExecutionRecord): Promise<void>;
  ofExecution(record: ExecutionRecord): Promise<TraceContext>;
  ofInstance(instance: TriggerInstanceRecord): Promise<TraceContext>;
  /** Adds an instance to its trace, with the rules that matched and the executions that they requested. */
  noteInstance(trace: TraceContext, instance: TriggerInstanceRecord, followed: Followed): Promise<void>;
  /** @throws Fault `execution.not-found`, with the text that every resource has */
  get(id: Id): Promise<Record<string, unknown>>;
  find(query: TraceQuery): Promise<FoundTraces>;
}

export interface Followed {
  readonly rules: readonly Pick<RuleRecord, '_id' | 'ref'>[];
  readonly executions: readonly ExecutionRecord[];
}

export type TracesStore = Pick<Store, 'traces' | 'executions' | 'triggerInstances'>;

export function createTraces(store: TracesStore): Traces {
  return {
    forRequest: (given, execution) => forRequest(store, given, execution),
    async noteExecution(record) {
      const { id_: id, trace_tag: tag = '' } = askedTrace(record.context['trace_context']);
      if (id === undefined) return;
      const begins = id === traceIdOf(record._id);
      const trace = begins ? emptyTrace(id, tag, record.start_timestamp) : undefined;
      await note(store, { id_: id, trace_tag: tag }, trace, { action_executions: [executionComponent(record)] });
    },
    ofExecution: (record) => traceOfExecution(store, record),
    ofInstance: (instance) => joined(store, instance),
    noteInstance: (trace, instance, followed) => noteInstance(store, trace, instance, followed),
    async get(id) {
      const trace = (await store.traces.get(id)) ?? (await derivedTrace(store, id));
      if (!trace) throw fault('execution.not-found', { id });
      return traceView(store, trace);
    },
    find: (query) => findTraces(store, query),
  };
}

async function forRequest(
  store: TracesStore,
  given: unknown,
  execution: Id,
): Promise<Partial<TraceContext> | undefined> {
  if (given === undefined || given === null) return undefined;
  const unknown = isPlainObject(given) ? Object.keys(given).find((name) => !MEMBERS.includes(name)) : '';
  if (unknown !== undefined || !isPlainObject(given))
    throw fault('execution.context-member', {
      member: 'trace_context',
      text: 'expected an object with id_ or trace_tag',
    });
  const { id_: id, trace_tag: tag } = askedTrace(given);
  if (id === undefined) return tag === undefined ? undefined : { ...given, id_: traceIdOf(execution) };
  const known = isId(id) && ((await store.traces.get(id)) ?? (await derivedTrace(store, id)));
  if (!known) throw fault('trace.not-found', { query: pythonRepr({ id }) });
  return { ...given, id_: id };
}

const MEMBERS: readonly string[] = ['id_', 'trace_tag'];

/** Adds components to a trace, and creates it if needed. @param begun the new trace, if these are its first
 * components */
async function note(
  store: TracesStore,
  { id_: id, trace_tag: tag }: TraceContext,
  begun: TraceRecord | undefined,
  components: TraceComponents,
): Promise<void> {
  if (begun && (await store.traces.insertOnce(withComponents(begun, components)))) return;
  if (await store.traces.add(id, components)) return;
  const trace = (await derivedTrace(store, id)) ?? emptyTrace(id, tag, timeOf(components));
  if (!(await store.traces.insertOnce(withComponents(trace, components)))) await store.traces.add(id, components);
}

const withComponents = (trace: TraceRecord, components: TraceComponents): TraceRecord => ({
  ...trace,
  trigger_instances: merged(trace.trigger_instances, components.trigger_instances),
  rules: merged(trace.rules, components.rules),
  action_executions: merged(trace.action_executions, components.action_executions),
});

const merged = <T extends { object_id: string }>(known: readonly T[], more: readonly T[] = []): T[] => [
  ...known,
  ...more.filter(({ object_id: id }) => known.every((component) => component.object_id !== id)),
];

const timeOf = (components: TraceComponents): number =>
  Math.min(...Object.values(components).flatMap((list) => list.map(({ updated_at: time }) => time)));

async function noteInstance(
  store: TracesStore,
  trace: TraceContext,
  instance: TriggerInstanceRecord,
  { rules, executions }: Followed,
): Promise<void> {
  const asked = askedTrace(instance.trace_context);
  // The trace can be derived from the instance at any time, or finds the instance by its key.
  const isFound = executionOfKey(instance.request_key) !== undefined || Object.keys(asked).length === 0;
  if (rules.length === 0 && isFound) return;
  const begins = trace.id_ === traceIdOf(instance._id);
  await note(store, trace, begins ? emptyTrace(trace.id_, trace.trace_tag, instance.occurrence_time) : undefined, {
    trigger_instances: [instanceComponent(instance)],
    rules: rules.map((rule) => ruleComponent(rule, instance)),
    action_executions: executions.map(executionComponent),
  });
}

/** The trace of an instance. An instance with a tag joins the latest trace with that tag, if it is recent. */
async function joined(store: TracesStore, instance: TriggerInstanceRecord): Promise<TraceContext> {
  const own = await traceOfInstance(store, instance);
  const { id_: id, trace_tag: tag } = askedTrace(instance.trace_context);
  if (id !== undefined || tag === undefined || namesNoEvent(tag)) return own;
  const since = instance.occurrence_time - JOINED_FOR_MICROS;
  const [latest] = await store.traces.list({
    filter: { trace_tag: tag, start_timestamp: atLeast(since) },
    sort: { start_timestamp: -1 },
    limit: 1,
  });
  if (!latest || latest.trigger_instances.length >= MOST_JOINED) return own;
  return { id_: latest._id, trace_tag: tag };
}

const JOINED_FOR_MICROS = DAY_MS * MS_MICROS;
/** A sender that always uses the same tag gets a new trace from time to time, instead of one that grows forever. */
const MOST_JOINED = 100;
