/** The answer of an action or of one item of a with-items task. */
export interface MockExecution {
  readonly taskId: string;
  readonly route: number;
  /** Only for the entry with this index in the sequence of tasks. */
  readonly sequenceIndex?: number;
  /** Only for the item with this index. */
  readonly itemIndex?: number;
  /** Only from this run of the task on, counted from 0 including retries. */
  readonly firstRun?: number;
  /** For how many runs. Default: one if `firstRun` is given, otherwise all. */
  readonly runs?: number;
  readonly status: string;
  /** Null if the rehearsal gives none. */
  readonly result: unknown;
  /** File with the result, relative to the rehearsal. */
  readonly resultPath?: string;
}

export interface RehearsedRerun {
  readonly taskId: string;
  readonly route: number;
  readonly resetItems: boolean;
}

/** A workflow run without real actions, and its expected outcome. */
export interface Rehearsal {
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly mocks: readonly MockExecution[];
  /** Tasks to rerun after the end; expectations then cover the whole. Empty: all failed tasks. */
  readonly rerun?: readonly RehearsedRerun[];
  readonly expected: Expectations;
}

/** A rehearsal that is a file, with a definition that is another one. */
export interface RehearsalFile extends Rehearsal {
  /** Path of the definition, relative to the rehearsal. */
  readonly workflow: string;
}

export interface Expectations {
  /** By category, as inspection returns them. */
  readonly inspectionErrors: Readonly<Record<string, unknown>>;
  /** Each `task` (route 0) or `task__r1`. Undefined if the rehearsal does not specify them. */
  readonly taskSequence: readonly string[] | undefined;
  /** Undefined only without a task sequence. */
  readonly routes: readonly (readonly string[])[] | undefined;
  readonly workflowStatus: string;
  /** Undefined if the rehearsal does not specify them. */
  readonly termTasks: readonly string[] | undefined;
  readonly errors: readonly unknown[] | undefined;
  readonly output: unknown;
}
