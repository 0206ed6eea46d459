import type { Status } from '../machines/statuses';

/** A transition's id and whether it fired; or where a task came from: back id and index of the source's entry. */
export type Fired = Readonly<Record<string, boolean>>;
export type Sources = Readonly<Record<string, number>>;

export interface RetryState {
  readonly when?: string;
  readonly count: number;
  /** Seconds before the next attempt. */
  readonly delay: number;
  readonly backoff?: { readonly factor: number; readonly max: number | null };
  /** How many retries there have been. */
  readonly tally: number;
}

/** Which part of a run an entry belongs to: the graph, undoing, or the closing tasks. */
export type EntryPhase = 'body' | 'rollback' | 'finally';

/** One run of a task in one route: all its attempts. Final once its status is a completed one, but for `terminal`. */
export interface EntryDocument {
  readonly kind: 'entry';
  readonly key: string;
  readonly index: number;
  readonly task: string;
  readonly route: number;
  /** 1 for the first entry of this task in this route, and so on. */
  readonly round: number;
  readonly phase: EntryPhase;
  /** Index of the context that the task began with. */
  readonly context: number;
  readonly prev: Sources;
  readonly next: Fired;
  /** Of each transition that fired, the context that it handed on. */
  readonly out: Readonly<Record<string, number>>;
  /** Null: opened by a rerun, not started yet. */
  readonly status: Status | null;
  /** Feeds the output. */
  readonly terminal: boolean;
  /** The context that feeds the output in place of the one it began with: of an arrival that came too late for its join. */
  readonly leaf?: number;
  readonly retry?: RetryState;
  /** The set of items it worked on. */
  readonly items?: number;
  /** Its items are handed out although the workflow has failed. */
  readonly runOnFail?: boolean;
  /** Place in the order of completion. */
  readonly ended?: number;
  /** Kept only for tasks that may be undone. */
  readonly result?: unknown;
  /** For a rollback: the entry that it undoes. */
  readonly undoes?: number;
  /** Whether the undoing of this entry has begun. */
  readonly undone?: boolean;
  /** A rerun began above this entry. */
  readonly stale?: boolean;
  /** It was cancelled before a rerun, which is not to end as cancelled because of it. */
  readonly waived?: boolean;
}

/** A task that has been reached and has not started. */
export interface StagedDocument {
  readonly kind: 'staged';
  readonly key: string;
  readonly task: string;
  readonly route: number;
  readonly round: number;
  /** To be run on the entry of this round that exists already: a retry, or a rerun. */
  readonly again: boolean;
  readonly phase: EntryPhase;
  readonly context: number;
  /** For a join the sources are arrivals of their own. */
  readonly prev: Sources;
  readonly ready: boolean;
  /** Handed out although the workflow has failed. */
  readonly runOnFail: boolean;
  /** It could not be started and the run has ended with it: its context feeds the output. */
  readonly isEnd?: boolean;
  /** The set of items, once the list has been frozen. */
  readonly items?: number;
  readonly retry?: RetryState;
  readonly undoes?: number;
}

/** One source that has reached a join, before the join runs or, `late`, after it did so without waiting for it. */
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

/** A context: another one with published values on it, or with the values that another branch has added. */
export interface ContextDocument {
  readonly kind: 'context';
  readonly key: string;
  readonly index: number;
  /** -1 for the first. */
  readonly base: number;
  readonly values?: Readonly<Record<string, unknown>>;
  /** Indexes of the contexts whose `values` are put on the base, in this order. */
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
  readonly status: Status;
  readonly result?: unknown;
}

export interface RouteDocument {
  readonly kind: 'route';
  readonly key: string;
  readonly index: number;
  /** The route it left; -1 for the first. */
  readonly base: number;
  /** The back id of the transition that opened it. */
  readonly by: string;
}

/** An entry of the error log, in the form that clients see. */
export interface ErrorEntry {
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
  readonly entry: ErrorEntry;
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

/** Undoing and closing, once the outcome of the body is known. */
export interface CleanUpState {
  /** `due`: as soon as nothing is active. */
  readonly step: 'due' | 'rollback' | 'finally' | 'done';
  /** What the visible status will be. */
  readonly outcome: Status;
  /** The visible status until then. */
  readonly status: Status;
  /** Index in `finally` of the next task. */
  readonly at: number;
  /** What the closing tasks see; absent until the first of them. */
  readonly context?: number;
}

export interface HeadDocument {
  readonly kind: 'head';
  readonly key: 'head';
  readonly format: 1;
  readonly revision: number;
  /** The status of the body. */
  readonly status: Status | 'unset';
  readonly cleanUp?: CleanUpState;
  /** Milliseconds on the clock that was passed in. */
  readonly deadline?: number;
  readonly output: Readonly<Record<string, unknown>> | null;
  readonly outputRendered: boolean;
  readonly reruns: number;
  /** How many of each have been made: the numbers of the next ones. */
  readonly made: {
    readonly errors: number;
    readonly arrivals: number;
    readonly ended: number;
    readonly items: number;
    readonly publishedBytes: number;
  };
}

/** What a call has changed. One record of this is complete: writing all of it or none of it keeps a state sound. */
export interface Changes {
  readonly head: HeadDocument;
  readonly put: readonly StateDocument[];
  readonly removed: readonly string[];
}

/** Everything of a state: the head and every document that was put and not removed. */
export interface Snapshot {
  readonly head: HeadDocument;
  readonly documents: Iterable<StateDocument>;
}
