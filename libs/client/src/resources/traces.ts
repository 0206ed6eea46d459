import type { Transport } from '../transport/transport';
import { readPage, type ListQuery, type Page } from './list-query';

export type TraceCause = 'action_execution' | 'rule' | 'trigger_instance';

/** Something that belongs to a trace. */
export interface TracePart {
  object_id: string;
  ref: string;
  updated_at: string;
  /** Empty for what it begins with. The id of a rule's cause is `rule:instance`. */
  caused_by: { type?: TraceCause; id?: string };
}

/** What belongs together because one thing caused the other. */
export interface Trace {
  id: string;
  uid: string;
  trace_tag: string;
  start_timestamp: string;
  trigger_instances: TracePart[];
  rules: TracePart[];
  action_executions: TracePart[];
}

export interface Traces {
  list(query?: ListQuery): Promise<Page<Trace>>;
  /** @throws ApiError with status 404 when there is none */
  get(id: string): Promise<Trace>;
}

const PATH = ['traces'];

export const createTraces = (transport: Transport): Traces => ({
  list: (query = {}) => readPage<Trace>(transport, PATH, query),
  get: async (id) => (await transport.json<Trace>({ service: 'api', method: 'GET', path: [...PATH, id] })).body,
});
