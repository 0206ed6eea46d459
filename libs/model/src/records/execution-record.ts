import type { Id, Micros } from '@switchyard/base';
import type { DueConsumer } from '../execution/due';
import type { Share } from '../execution/share';
import type { Status } from '../execution/statuses';
import type { NotifySpec } from './action-record';

/** Which action runner has taken an execution. The number grows with every claim of the same execution. */
export interface Claim {
  number: number;
  instance: Id;
  host: string;
  pid: number;
}

/** A process group that an action runner started; absent again once it has ended. */
export interface ProcessMark {
  host: string;
  pid: number;
  start_time: string;
  boot_id: string;
}

export interface StatusLogEntry {
  status: Status;
  timestamp: Micros;
}

/** Where a large value lies instead of in the record. */
export interface BlobPointer {
  id: string;
  parts: number;
  bytes: number;
}

/**
 * One execution, as it is stored. The API shows it as an execution and as a live action: two views of this record.
 * Secret values are replaced by masks in `parameters` and `result`; `sealed_*` holds them encrypted.
 */
export interface ExecutionRecord {
  _id: Id;
  liveaction_id: Id;
  status: Status;
  /** Grows by one with every write that changes what users see. */
  revision: number;
  action_ref: string;
  action_is_workflow: boolean;
  runner_name: string;
  /** Content hash of the action and runner definitions at request time; see DefinitionRecord. */
  definition: string;
  parameters: Record<string, unknown>;
  /** Encrypted `[path, value]` pairs of the secret parts of `parameters`. */
  sealed_parameters?: string;
  /** Names of parameters that are secret because a template copied a secret into them. */
  derived_secrets?: string[];
  /** The result as JSON text, masked; absent until there is one. */
  result?: string;
  result_blob?: BlobPointer;
  result_size?: number;
  sealed_result?: string;
  context: Record<string, unknown>;
  callback?: Record<string, unknown>;
  notify?: NotifySpec;
  runner_info?: { hostname: string; pid: number };
  delay?: number;
  parent?: Id;
  /** The outermost workflow around a task; absent on what is no task. */
  root?: Id;
  /** How many executions lie around it; absent on what has no parent. */
  nesting?: number;
  has_children?: boolean;
  trigger?: Record<string, unknown>;
  trigger_type?: Record<string, unknown>;
  trigger_instance?: Record<string, unknown>;
  rule?: Record<string, unknown>;
  workflow_execution?: Id;
  task_execution?: Id;
  start_timestamp: Micros;
  end_timestamp?: Micros;
  log: StatusLogEntry[];
  web_url: string;
  /** Runners to choose from: the name of a pool, `default` when nothing was asked for. */
  pool: string;
  /** The pool of which it occupies a slot at present. */
  slot?: string;
  /** Higher is sooner. */
  priority: number;
  /** Not before this time; equals `start_timestamp` when there is no delay. */
  schedule_at: Micros;
  /** The queue in which it waits; absent on records of earlier versions. */
  share?: Share;
  /** True when the action may run twice: a dead runner's execution is then started again. */
  idempotent: boolean;
  /** The group of a policy that has no room for it at present; see LimitRecord. */
  waits_on?: string;
  /** Why it waits, in words. */
  waiting_for?: string;
  /** True when a policy limited it at the time of the request: whoever knows of none has old knowledge. */
  limited?: true;
  /** True when a policy may ask for a further try once it has ended. */
  retries?: true;
  due?: DueConsumer[];
  due_at?: Micros;
  request_key?: string;
  claim?: Claim;
  process?: ProcessMark;
}

/** A piece of output, up to 64 kB, in the order of `sequence` within its execution. */
export interface OutputRecord {
  _id: Id;
  execution_id: Id;
  sequence: number;
  output_type: string;
  data: string;
  timestamp: Micros;
  action_ref: string;
  runner_ref: string;
}
