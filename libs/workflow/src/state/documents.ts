import type { WorkflowStatus } from '../machines/statuses';

/** By transition id, whether it fired. */
export type Fired = Readonly<Record<string, boolean>>;

/** Where a task came from: by back id, the index of the source's entry. */
export type Sources = Readonly<Record<string, number>>;

export interface RetryState {
  readonly when?: string;
  readonly count: number;
  /** Seconds before the next attempt. */
  readonly delay: number;
  readonly backoff?: { readonly factor: number; readonly max: number | null };
  /** Retries so far. */
  readonly tally: number;
}

/** The part of a run that an entry belongs to: the graph, a rollback, or the closing tasks. */
export type EntryPhase = 'body' | 'rollback' | 'finally';

/** One run of a task in one route, with all its attempts. Final once its status is completed, except for `terminal`. */
export interface EntryDocument {
  readonly kind: 'entry';
  readonly key: string;
  readonly index: number;
  readonly task: string;
  readonly route: number;
  /** 1 for the first entry of this task in this route, and so on. */
  readonly round: number;
  readonly phase: EntryPhase;
  /** Index of the context that the task started with. */
  readonly context: number;
  readonly prev: Sources;
  readonly next: Fired;
  /** The context passed on by each transition that fired. */
  readonly out: Readonly<Record<string, number>>;
  /** Null: opened by a rerun, not started yet. */
  readonly status: WorkflowStatus | null;
  /** Whether it feeds the output. */
  readonly terminal: boolean;
  /** The context that feeds the output instead of the initial one: from an arrival too late for its join. */
  readonly leaf?: number;
  readonly retry?: RetryState;
  /** Its set of items. */
  readonly items?: number;
  /** Whether its items are dispatched although the workflow has failed. */
  readonly runOnFail?: boolean;
  /** Position in the order of completion. */
  readonly ended?: number;
  /** Kept only for tasks that may be rolled back. */
  readonly result?: unknown;
  /** For a rollback: the entry that it undoes. */
  readonly undoes?: number;
  /** Whether the rollback of this entry has started. */
  readonly undone?: boolean;
  /** Whether it follows from a rerun task. */
  readonly stale?: boolean;
  /** Whether it was canceled before a rerun, and so must not cancel the rerun. */
  readonly waived?: boolean;
}

/** A task that has been reached but not started. */
export interface StagedDocument {
  readonly kind: 'staged';
  readonly key: string;
  readonly task: string;
  readonly route: number;
  readonly round: number;
  /** Whether it runs on the existing entry of this round: a retry or a rerun. */
  readonly again: boolean;
  readonly phase: EntryPhase;
  readonly context: number;
  /** For a join, the sources are separate arrivals. */
  readonly prev: Sources;
  readonly ready: boolean;
  /** Whether it is dispatched although the workflow has failed. */
  readonly runOnFail: boolean;
  /** Whether the run ended because it could not be started; its context then feeds the output. */
  readonly isEnd?: boolean;
  /** The set of items, once the list has been frozen. */
  readonly items?: number;
  readonly retry?: RetryState;
  readonly undoes?: number;
}

/** A source that has reached a join, before the join ran or, if `late`, afterwards. */
export interface ArrivalDocument {
  readonly kind: 'arrival';
  readonly key: string;
  readonly task: string;
  readonly route: number;
  readonly source: string;
  readonly late: boolean;
  /** Position in the order of arrival. */
  readonly order: number;
  readonly prev: Sources;
  /** The context it brought. */
  readonly context: number;
}

/** A context: another one extended by published values, or by the values of another branch. */
export interface ContextDocument {
  readonly kind: 'context';
  readonly key: string;
  readonly index: number;
  /** -1 for the first. */
  readonly base: number;
  readonly values?: Readonly<Record<string, unknown>>;
  /** Indexes of the contexts whose `values` extend the base, in this order. */
  readonly adds?: readonly number[];
}

/** The frozen list of a with-items task. */
export interface ItemsDocument {
  readonly kind: 'items';
  readonly key: string;
  readonly index: number;
  readonly values: readonly unknown[];
  readonly concurrency: number | null;
}

export interface ItemDocument {
  readonly kind: 'item';
  readonly key: string;
  readonly items: number;
  readonly index: number;
  readonly status: WorkflowStatus;
  readonly result?: unknown;
}

export interface RouteDocument {
  readonly kind: 'route';
  readonly key: string;
  readonly index: number;
  /** The parent route; -1 for the first. */
  readonly base: number;
  /** The back id of the transition that opened it. */
  readonly by: string;
}

/** An entry of the error log, as shown to clients. */
export interface WorkflowError {
  readonly type: 'error';
  readonly message: string;
  readonly task_id?: string;
  readonly route?: number;
  readonly task_transition_id?: string;
  readonly result?: unknown;
  readonly data?: unknown;
}

export interface ErrorDocument {
  readonly kind: 'error';
  readonly key: string;
  readonly index: number;
  readonly entry: WorkflowError;
}

export type StateDocument =
  | EntryDocument
  | StagedDocument
  | ArrivalDocument
  | ContextDocument
  | ItemsDocument
  | ItemDocument
  | RouteDocument
  | ErrorDocument;

/** Rollback and closing tasks, once the outcome of the body is known. */
export interface CleanUpState {
  /** `due`: starts as soon as nothing is active. */
  readonly step: 'due' | 'rollback' | 'finally' | 'done';
  /** The final visible status. */
  readonly outcome: WorkflowStatus;
  /** The visible status until then. */
  readonly status: WorkflowStatus;
  /** Index in `finally` of the next task. */
  readonly at: number;
  /** The context of the closing tasks; absent until the first one. */
  readonly context?: number;
}

export interface HeadDocument {
  readonly kind: 'head';
  readonly key: 'head';
  readonly format: 1;
  readonly revision: number;
  /** The status of the body. */
  readonly status: WorkflowStatus | 'unset';
  readonly cleanUp?: CleanUpState;
  /** Milliseconds on the caller's clock. */
  readonly deadline?: number;
  readonly output: Readonly<Record<string, unknown>> | null;
  readonly outputRendered: boolean;
  readonly reruns: number;
  /** How many of each exist, which gives the next numbers. */
  readonly made: {
    readonly errors: number;
    readonly arrivals: number;
    readonly ended: number;
    readonly items: number;
    readonly publishedBytes: number;
  };
}

/** What a call has changed. Write all of it or nothing to keep the stored state consistent. */
export interface Changes {
  readonly head: HeadDocument;
  readonly put: readonly StateDocument[];
  readonly removed: readonly string[];
  /** Texts that expressions have decrypted since the last report. Absent in what version 0.1.0 has written. */
  readonly secrets?: readonly string[];
}

/** The complete state: the head and every current document. */
export interface Snapshot {
  readonly head: HeadDocument;
  readonly documents: Iterable<StateDocument>;
}
