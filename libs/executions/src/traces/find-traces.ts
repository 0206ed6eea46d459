import type { Id } from '@switchyard/base';
import type { TraceRecord } from '@switchyard/model';
import { allFilters, isOneOf, type Filter, type RecordPage, type Sort, type Store } from '@switchyard/storage';
import { derivedTrace, namedByTag, traceIdOf, traceOfExecution, traceOfInstance } from './derived-trace';
import { traceViews } from './trace-view';

/** The conditions of a search for traces; all of them must be met. */
export interface TraceQuery {
  readonly ids?: readonly Id[];
  readonly tag?: string;
  /** Ids. */
  readonly execution?: Id;
  readonly rule?: Id;
  readonly triggerInstance?: Id;
  readonly sort: Sort<TraceRecord>;
  readonly page: Pick<RecordPage<TraceRecord>, 'limit' | 'offset'>;
}

export interface FoundTraces {
  /** Traces are read one at a time, because one may have thousands of parts. */
  readonly items: AsyncIterable<Record<string, unknown>>;
  readonly total: number;
}

type TracesStore = Pick<Store, 'traces' | 'executions' | 'triggerInstances'>;

/** Finds stored traces. Also finds one that is not stored, if an execution, an instance or its tag identifies it. */
export async function findTraces(store: TracesStore, query: TraceQuery): Promise<FoundTraces> {
  const named = await namedTraces(store, query);
  const filter = filterOf(query, named);
  const page = { filter, sort: query.sort, ...query.page };
  const total = await store.traces.count(filter);
  if (total > 0) return { items: traceViews(store, store.traces.each(page)), total };
  const derived = query.rule === undefined ? await derivedByQuery(store, query, named) : undefined;
  return { items: traceViews(store, derived && !query.page.offset ? [derived] : []), total: derived ? 1 : 0 };
}

/** Ids of the traces with the requested execution, rule or instance; undefined if none was requested. */
async function namedTraces(store: TracesStore, { execution, triggerInstance }: TraceQuery): Promise<Id[] | undefined> {
  const named: Id[] = [];
  if (execution !== undefined) {
    const record = await store.executions.get(execution);
    if (!record) return [];
    named.push((await traceOfExecution(store, record)).id_);
  }
  if (triggerInstance !== undefined) {
    const held = await store.traces.list({ filter: { 'trigger_instances.object_id': triggerInstance }, limit: 1 });
    const instance = held[0] ? undefined : await store.triggerInstances.get(triggerInstance);
    if (!held[0] && !instance) return [];
    named.push(held[0]?._id ?? (await traceOfInstance(store, instance as NonNullable<typeof instance>)).id_);
  }
  return execution === undefined && triggerInstance === undefined ? undefined : named;
}

function filterOf({ ids, tag, rule }: TraceQuery, named: readonly Id[] | undefined): Filter<TraceRecord> {
  const conditions: Filter<TraceRecord>[] = [
    ...(ids ? [{ _id: isOneOf(ids) }] : []),
    ...(named ? (named.length === 0 ? [{ _id: '' }] : named.map((id) => ({ _id: id }))) : []),
    ...(tag === undefined ? [] : [{ trace_tag: tag }]),
    ...(rule === undefined ? [] : [{ 'rules.object_id': rule }]),
  ];
  const [only] = conditions;
  return conditions.length > 1 ? allFilters(conditions) : (only ?? {});
}

async function derivedByQuery(
  store: TracesStore,
  { ids, tag }: TraceQuery,
  named: readonly Id[] | undefined,
): Promise<TraceRecord | undefined> {
  const candidates = named ?? ids ?? (tag === undefined ? [] : await begunWith(store, tag));
  const [id] = candidates;
  if (id === undefined || candidates.some((other) => other !== id)) return undefined;
  // Parts that the user may not view are not searched for, so that the response time does not reveal that they exist.
  if (ids && !ids.includes(id)) return undefined;
  const trace = await derivedTrace(store, id);
  const fits = trace && (tag === undefined || trace.trace_tag === tag) && (!ids || ids.includes(trace._id));
  return fits ? trace : undefined;
}

/** A default tag contains the id of the first part of its trace. */
async function begunWith({ executions }: TracesStore, tag: string): Promise<Id[]> {
  const named = namedByTag(tag);
  if (!named) return [];
  if ('instance' in named) return [traceIdOf(named.instance)];
  const record = await executions.getByLiveaction(named.liveaction);
  return record ? [traceIdOf(record._id)] : [];
}
