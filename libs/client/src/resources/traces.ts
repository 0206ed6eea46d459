import type { ApiTransport } from '../transport/transport';
import { requestPage, type ListQuery, type ListPage } from './records';

export type TraceCause = 'action_execution' | 'rule' | 'trigger_instance';

/** A trigger instance, rule or execution in a trace. */
export interface TracePart {
  object_id: string;
  ref: string;
  updated_at: string;
  /** Empty for the first part. An execution that a rule caused has the id `rule:instance` here. */
  caused_by: { type?: TraceCause; id?: string };
}

/** A chain of trigger instances, rules and executions that caused each other. */
export interface Trace {
  id: string;
  uid: string;
  trace_tag: string;
  start_timestamp: string;
  trigger_instances: TracePart[];
  rules: TracePart[];
  action_executions: TracePart[];
}

export interface TracesResource {
  list(query?: ListQuery): Promise<ListPage<Trace>>;
  /** @throws ApiError with status 404 if it does not exist */
  get(id: string): Promise<Trace>;
}

const PATH = ['traces'];

export const tracesResource = (transport: ApiTransport): TracesResource => ({
  list: (query = {}) => requestPage<Trace>(transport, PATH, query),
  get: async (id) => (await transport.json<Trace>({ service: 'api', method: 'GET', path: [...PATH, id] })).body,
});
