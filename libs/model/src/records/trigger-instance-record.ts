import type { Id, Micros } from '@switchyard/base';

/** Something that happened. Stored before anything is told about it, and travels by id. */
export interface TriggerInstanceRecord {
  _id: Id;
  /** Reference of the trigger. */
  trigger: string;
  payload: Record<string, unknown>;
  occurrence_time: Micros;
  status: 'pending' | 'processing' | 'processed' | 'processing_failed';
  trace_context?: Record<string, unknown>;
  request_key?: string;
  due?: string[];
  due_at?: Micros;
}
