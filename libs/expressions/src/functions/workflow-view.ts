import type { DatastoreKey } from '../jinja';

/** The task that the expression belongs to, once it has started. */
export interface CurrentTask {
  readonly id: string;
  readonly route: number;
  readonly status: string;
  /** Undefined until there is a result. */
  readonly result?: unknown;
}

/** What `task()` returns about a task's latest run. Times are texts. */
export interface TaskRecord {
  readonly task_execution_id: string;
  readonly workflow_execution_id: string;
  readonly task_name: string;
  readonly task_id: string;
  readonly route: number;
  readonly result: unknown;
  readonly status: string;
  readonly start_timestamp: string | null;
  readonly end_timestamp: string | null;
}

/**
 * What workflow functions read. All members answer synchronously; a value that must be awaited throws `Unread` (see
 * `withReads`) and is requested again once it is there.
 */
export interface WorkflowView {
  /**
   * The context. Names that begin with two underscores are private and hidden. The public part is cached by object
   * identity, so a new state needs a new object.
   */
  readonly variables: Readonly<Record<string, unknown>>;
  /** The current item of a with-items task; undefined outside of one. */
  readonly item?: unknown;
  readonly currentTask?: CurrentTask | undefined;
  /**
   * The status of a task in a route, or else in the latest earlier route that leads to it; undefined when it never ran.
   * @param route undefined: the current route, or 0 without a current task
   */
  readonly taskStatus: (id: string, route: number | undefined) => string | undefined;
  /** The record of a task's latest run, with the same rule for routes; absent when workflows have no records. */
  readonly task?: (id: string, route: number | undefined) => TaskRecord | undefined;
  /** The text of a datastore item, undefined when there is none; absent without a datastore. */
  readonly datastore?: (key: DatastoreKey) => unknown;
}
