import type { DatastoreKey } from '../jinja';

/** The task that the expression belongs to, once it runs or has run. */
export interface CurrentTask {
  readonly id: string;
  readonly route: number;
  readonly status: string;
  /** Absent or undefined while there is none. */
  readonly result?: unknown;
}

/** What `task()` tells of a task's latest run. Times are texts. */
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
 * What workflow functions read. Everything answers at once; what must be waited for throws `Unread` (see `withReads`) and
 * is asked again when it is there.
 */
export interface WorkflowView {
  /**
   * The context; names that begin with two underscores are private and are not shown. What is seen of it is remembered:
   * another state is another object.
   */
  readonly variables: Readonly<Record<string, unknown>>;
  /** The current item of a with-items task; undefined outside of one. */
  readonly item?: unknown;
  readonly currentTask?: CurrentTask | undefined;
  /**
   * The status of a task in a route, or in the latest earlier route that leads to it; undefined when it never ran.
   * @param route undefined: the current route, or 0 without a current task
   */
  readonly taskStatus: (id: string, route: number | undefined) => string | undefined;
  /** The record of a task's latest run, with the same rule for routes; absent where workflows have no records. */
  readonly task?: (id: string, route: number | undefined) => TaskRecord | undefined;
  /** The text of a datastore item, undefined when there is none; absent where there is no datastore. */
  readonly datastore?: (key: DatastoreKey) => unknown;
}
