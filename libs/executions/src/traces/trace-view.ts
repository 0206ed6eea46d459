import { createHash } from 'node:crypto';
import { microsToIso, type Id } from '@switchyard/base';
import { unreadableView, type TraceComponent, type TraceRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import { followersOf, type Followers } from './followers';

/** Traces as the API shows them, with the children of their executions and the instances that tell of their ends. */
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
