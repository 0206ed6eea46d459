import type { Id, Micros } from '@switchyard/base';

export interface TraceComponent {
  object_id: Id;
  ref: string;
  updated_at: Micros;
  caused_by: { type?: string; id?: string };
}

/** Everything that followed from one event. */
export interface TraceRecord {
  _id: Id;
  trace_tag: string;
  start_timestamp: Micros;
  trigger_instances: TraceComponent[];
  rules: TraceComponent[];
  action_executions: TraceComponent[];
}

export type TraceComponentKind = 'trigger_instances' | 'rules' | 'action_executions';
