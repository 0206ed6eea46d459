import type { Assignment, RetrySpec } from '../spec/model';

/** One arrow: a transition of `from` together with one of its destinations. */
export interface Transition {
  /** The name of this arrow among those that leave a task: `<to>__t<key>`. */
  readonly id: string;
  /** The name of this arrow among those that reach a task, and in routes: `<from>__t<key>`. */
  readonly backId: string;
  readonly from: string;
  readonly to: string;
  /** Index of the transition in the task's `next`; arrows with the same one share condition and published values. */
  readonly ref: number;
  readonly when?: string;
  readonly publish: readonly Assignment[];
}

export interface Barrier {
  /** How many distinct source tasks must have arrived. */
  readonly required: number;
  /** How many distinct source tasks there are. */
  readonly sources: number;
}

export interface GraphTask {
  readonly name: string;
  /** In the order in which they are tried: by destination, then as written. */
  readonly next: readonly Transition[];
  /** Names of the tasks with an arrow to this one. */
  readonly sources: ReadonlySet<string>;
  readonly barrier?: Barrier;
  /** Whether each arrival opens a route of its own. */
  readonly split: boolean;
  readonly retry?: RetrySpec;
}

/** What a definition says about order, ready for the conductor. Engine commands that are reached are tasks of it too. */
export interface Graph {
  readonly tasks: ReadonlyMap<string, GraphTask>;
  /** Names of the tasks to begin with, sorted. */
  readonly starts: readonly string[];
  /** Whether a join may be reached again: it lies on a cycle, or a path leads from a cycle to it. */
  readonly joinsRepeat: boolean;
  /** Whether there are tasks for undoing or closing. */
  readonly hasCleanUp: boolean;
}
