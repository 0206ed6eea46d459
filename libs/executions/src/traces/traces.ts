import { DAY_MS, fault, isId, isPlainObject, MS_MICROS, type Id } from '@switchyard/base';
import type { ExecutionRecord, RuleRecord, TraceRecord, TriggerInstanceRecord } from '@switchyard/model';
import { atLeast, type Store, type TraceComponents } from '@switchyard/storage';
import { executionOfKey, namesNoEvent } from '@switchyard/triggers';
import { derivedTrace, emptyTrace, executionComponent, instanceComponent, ruleComponent } from './derived-trace';
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

type TracesStore = Pick<Store, 'traces' | 'executions' | 'triggerInstances'>;

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
  if (!known) throw fault('trace.not-found', { id });
  return { ...given, id_: id };
}

const MEMBERS: readonly string[] = ['id_', 'trace_tag'];

/** Adds components to a trace, and creates it if needed. @param begun the new trace, if these are its first components */
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

/** The trace of an instance; one that comes with a tag joins the trace that has this tag since not long ago. */
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
/** A sender that always gives the same tag makes one trace after the other, not one that grows for ever. */
const MOST_JOINED = 100;

/** A trace as those that belong to it carry it. */
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

/** The most ancestors that are read to find the root of an execution. */
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

/** The default tags of traces (interface sheet "events", 10). */
export const plainTag = {
  ofExecution: ({ liveaction_id: id }: Pick<ExecutionRecord, 'liveaction_id'>) => `execution-${id}`,
  ofInstance: ({ _id }: Pick<TriggerInstanceRecord, '_id'>) => `trigger_instance-${_id}`,
};

/** What a plain tag names: a live action by its id, or an instance. @returns undefined for other tags */
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
