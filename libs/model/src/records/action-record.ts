import type { Id } from '@switchyard/base';

/** Parameter definitions by name: JSON Schema draft 4 with boolean `required`, `immutable`, `secret`, `position`. */
export type Definitions = Record<string, Record<string, unknown>>;

export interface NotifySection {
  message?: string;
  data?: Record<string, unknown>;
  /** The route of an alias that was run without one is null. */
  routes?: (string | null)[];
  /** The data is what somebody has said: no template in it is rendered. */
  literal?: boolean;
}

export type NotifySpec = { [section in 'on-complete' | 'on-success' | 'on-failure']?: NotifySection };

export interface Tag {
  name: string;
  value: string;
}

export interface ActionRecord {
  _id: Id;
  ref: string;
  uid: string;
  name: string;
  pack: string;
  description?: string;
  enabled: boolean;
  runner_type: string;
  entry_point: string;
  parameters: Definitions;
  output_schema: Record<string, unknown>;
  tags: Tag[];
  notify: NotifySpec;
  metadata_file: string;
  /** Ours: the action may be started again after its runner died. */
  idempotent?: boolean;
  /** Ours: only runners of this pool run it; the default pool when absent. */
  pool?: string;
  /** Path relative to the pack, for content that was read from a file. */
  content_hash?: string;
}

export interface RunnerTypeRecord {
  _id: Id;
  uid: string;
  name: string;
  description?: string;
  enabled: boolean;
  runner_package: string;
  runner_module: string;
  query_module?: string;
  runner_parameters: Definitions;
  output_key?: string;
  output_schema: Record<string, unknown>;
}

/** What an action and its runner were when an execution was requested; stored once per content. */
export interface DefinitionRecord {
  /** SHA-256 of the canonical JSON of the other two members. */
  _id: string;
  action: Omit<ActionRecord, '_id'> & { id: Id };
  runner: Omit<RunnerTypeRecord, '_id'> & { id: Id };
}
