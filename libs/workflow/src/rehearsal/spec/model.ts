/** What an action, or one item of a task with items, is to answer. */
export interface MockExecution {
  readonly taskId: string;
  readonly route: number;
  /** Only for the entry with this index in the sequence of tasks. */
  readonly sequenceIndex?: number;
  /** Only for the item with this index. */
  readonly itemIndex?: number;
  /** Only from this run of the task on, counted from 0, retries included. */
  readonly firstRun?: number;
  /** For how many runs; absent: one where `firstRun` is given, all otherwise. */
  readonly runs?: number;
  readonly status: string;
  /** Null where the rehearsal gives none. */
  readonly result: unknown;
  /** The file, beside the rehearsal, that holds the result. */
  readonly resultPath?: string;
}

export interface RerunRequest {
  readonly taskId: string;
  readonly route: number;
  readonly resetItems: boolean;
}

/** A workflow run without actions, and what is expected of it. */
export interface Rehearsal {
  /** Path of the definition, relative to the rehearsal. */
  readonly workflow: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly mocks: readonly MockExecution[];
  /** Tasks to run again once the workflow has ended; what is expected is then about the whole. Empty: all that failed. */
  readonly rerun?: readonly RerunRequest[];
  readonly expected: Expectations;
}

export interface Expectations {
  /** By category, as inspection gives them. */
  readonly inspectionErrors: Readonly<Record<string, unknown>>;
  /** Each `task` (route 0) or `task__r1`. */
  readonly taskSequence: readonly string[];
  readonly routes: readonly (readonly string[])[];
  readonly workflowStatus: string;
  /** Undefined where the rehearsal does not say. */
  readonly termTasks: readonly string[] | undefined;
  readonly errors: readonly unknown[] | undefined;
  readonly output: unknown;
}
