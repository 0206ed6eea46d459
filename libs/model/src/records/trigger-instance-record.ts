import type { Id, Micros } from '@switchyard/base';

export type TriggerInstanceStatus = 'pending' | 'processing' | 'processed' | 'processing_failed';

/** Something that happened. Stored before anything is told about it, and travels by id. */
export interface TriggerInstanceRecord {
  _id: Id;
  /** Reference of the trigger. */
  trigger: string;
  payload: Record<string, unknown>;
  occurrence_time: Micros;
  status: TriggerInstanceStatus;
  trace_context?: Record<string, unknown>;
  request_key?: string;
  /** Why it is as it is: how many rules were looked at, which matched, or what went wrong. */
  outcome?: TriggerInstanceOutcome;
  due?: string[];
  due_at?: Micros;
}

export interface TriggerInstanceOutcome {
  /** References of the rules that matched. */
  matched: string[];
  /** How many rules were asked. */
  rules: number;
  /** Of those, the rules whose action does not run for this instance, and the correlation that says so. */
  suppressed?: { rule: string; by: string }[];
  /** What is strange, and did not keep the rules from being asked. */
  warnings?: string[];
  /** What failed, of the matching as a whole. */
  reason?: string;
}
