import { createHash } from 'node:crypto';
import { microsToIso, type Id } from '@switchyard/base';
import { unreadableView, type ExecutionRecord, type TraceComponent, type TraceRecord } from '@switchyard/model';
import { isOneOf, type Store } from '@switchyard/storage';
import { keysOfExecution } from '@switchyard/triggers';
import { executionComponent, instanceComponent } from './derived-trace';

/** Traces as the API shows them, with the children of their executions and the instances that report their ends. */
export async function* traceViews(
  store: ViewStore,
  traces: AsyncIterable<TraceRecord> | Iterable<TraceRecord>,
): AsyncGenerator<Record<string, unknown>, void, undefined> {
  for await (const trace of traces) yield traceView(store, trace);
}

export const traceView = async (store: ViewStore, trace: TraceRecord): Promise<Record<string, unknown>> =>
  unreadableView(trace) ?? viewOf(trace, await followersOf(store, trace));

type ViewStore = Pick<Store, 'executions' | 'triggerInstances'>;

const viewOf = (trace: TraceRecord, { executions, instances }: Followers): Record<string, unknown> => ({
  id: trace._id,
  uid: uidOf(trace),
  trace_tag: trace.trace_tag,
  start_timestamp: microsToIso(trace.start_timestamp),
  trigger_instances: shown(trace.trigger_instances, instances),
  rules: shown(trace.rules),
  action_executions: shown(trace.action_executions, executions),
});

const uidOf = ({ _id, trace_tag: tag }: TraceRecord): string =>
  `trace:${createHash('md5').update(`${_id}:${tag}`).digest('hex')}`;

function shown(stored: readonly TraceComponent[], followed: readonly TraceComponent[] = []) {
  const known = new Set<Id>(stored.map(({ object_id: id }) => id));
  return [...stored, ...followed.filter(({ object_id: id }) => !known.has(id))].map((component) => ({
    ...component,
    updated_at: microsToIso(component.updated_at),
  }));
}

/** Parts of a trace that its record does not list. */
interface Followers {
  readonly executions: readonly TraceComponent[];
  readonly instances: readonly TraceComponent[];
}

/** Maximum number of executions, and of instances, in the view of a trace. */
const MOST = 1000;
const TOGETHER = 100;
const INSTANCE_FIELDS = ['trigger', 'occurrence_time', 'payload.execution_id', 'payload.__context'] as const;
const FIELDS = ['_id', 'action_ref', 'start_timestamp', 'context', 'parent', 'has_children'] as const;

/** The descendants of a trace's executions, and the instances that report the end of any of them. */
async function followersOf(
  store: Pick<Store, 'executions' | 'triggerInstances'>,
  { action_executions: noted }: Pick<TraceRecord, 'action_executions'>,
): Promise<Followers> {
  const roots = noted.slice(-MOST).map(({ object_id: id }) => id);
  const descendants = await descendantsOf(store, roots);
  const ids = [...roots, ...descendants.map(({ _id }) => _id)].slice(0, MOST);
  return { executions: descendants.map(executionComponent), instances: await instancesOf(store, ids) };
}

async function descendantsOf({ executions }: Pick<Store, 'executions'>, roots: readonly Id[]) {
  const found: ExecutionRecord[] = [];
  let parents = await withChildren({ executions }, roots);
  while (parents.length > 0 && found.length < MOST) {
    const filter = { parent: isOneOf(parents.slice(0, TOGETHER)) };
    const children = await executions.list({
      filter,
      sort: { start_timestamp: 1 },
      limit: MOST - found.length,
      fields: FIELDS,
    });
    found.push(...children);
    parents = [...parents.slice(TOGETHER), ...children.filter((child) => child.has_children).map(({ _id }) => _id)];
  }
  return found;
}

async function withChildren({ executions }: Pick<Store, 'executions'>, ids: readonly Id[]): Promise<Id[]> {
  if (ids.length === 0) return [];
  const records = await executions.list({ filter: { _id: isOneOf(ids) }, fields: ['_id', 'has_children'] });
  return records.filter((record) => record.has_children).map(({ _id }) => _id);
}

async function instancesOf({ triggerInstances }: Pick<Store, 'triggerInstances'>, ids: readonly Id[]) {
  const found: TraceComponent[] = [];
  for (const id of ids) {
    if (found.length >= MOST) break;
    const filter = { request_key: keysOfExecution(id) };
    const instances = await triggerInstances.list({ filter, limit: MOST - found.length, fields: INSTANCE_FIELDS });
    found.push(...instances.map(instanceComponent));
  }
  return found.sort((a, b) => a.updated_at - b.updated_at);
}
