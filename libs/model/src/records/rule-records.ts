import type { Id, Micros } from '@switchyard/base';
import type { Tag } from './action-record';

export interface RuleRecord {
  _id: Id;
  ref: string;
  uid: string;
  name: string;
  pack: string;
  description?: string;
  enabled: boolean;
  type: { ref: string; parameters: Record<string, unknown> };
  /** Reference of the trigger; the views show its type and parameters. */
  trigger: string;
  criteria: Record<string, Record<string, unknown>>;
  action: { ref: string; parameters: Record<string, unknown>; description?: string };
  context: Record<string, unknown>;
  tags: Tag[];
  metadata_file: string;
  /** Ours: how matches are put together before the action runs. */
  correlation?: Record<string, unknown>;
  /** Why the action's parameters could not be opened: they are empty then, and nothing may run with them. It is never stored. */
  problem?: string;
}

/** What became of a matching rule. */
export interface RuleEnforcementRecord {
  _id: Id;
  trigger_instance_id: Id;
  execution_id?: Id;
  failure_reason?: string;
  rule: { ref: string; id: Id; uid: string };
  enforced_at: Micros;
  status: 'succeeded' | 'failed';
  /** `instance:rule`, so that a second try finds the first. */
  request_key: string;
}
