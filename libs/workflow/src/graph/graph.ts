import type { ContextAssignment, RetrySpec } from '../spec/model';

/** An arrow: a transition of `from` together with one of its destinations. */
export interface Transition {
  /** Its name among the arrows that leave a task: `<to>__t<key>`. */
  readonly id: string;
  /** Its name among the arrows that reach a task, and in routes: `<from>__t<key>`. */
  readonly backId: string;
  readonly from: string;
  readonly to: string;
  /** Index of the transition in the task's `next`; arrows with the same index share condition and published values. */
  readonly ref: number;
  readonly when?: string;
  readonly publish: readonly ContextAssignment[];
}

export interface Barrier {
  /** How many distinct source tasks must arrive. */
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
  /** Whether each arrival opens a new route. */
  readonly split: boolean;
  readonly retry?: RetrySpec;
}

/** The order of tasks in a definition, for the conductor. Reachable engine commands are tasks of it too. */
export interface Graph {
  readonly tasks: ReadonlyMap<string, GraphTask>;
  /** Names of the start tasks, sorted. */
  readonly starts: readonly string[];
  /** Whether a join may be reached again, because it is on a cycle or can be reached from one. */
  readonly joinsRepeat: boolean;
  /** Whether there are rollbacks or closing tasks. */
  readonly hasCleanUp: boolean;
}

const known = new WeakMap<Graph, Map<string, ReadonlySet<string>>>();

/** All tasks with a path to `task` that avoids `without`, including the task itself. */
export function tasksLeadingTo(graph: Graph, task: string, without: string): ReadonlySet<string> {
  const answers = known.get(graph) ?? new Map<string, ReadonlySet<string>>();
  known.set(graph, answers);
  const key = `${task} ${without}`;
  const answer = answers.get(key) ?? search(graph, task, without);
  answers.set(key, answer);
  return answer;
}

function search(graph: Graph, task: string, without: string): ReadonlySet<string> {
  const found = new Set([task]);
  for (const name of found) {
    for (const source of graph.tasks.get(name)?.sources ?? []) if (source !== without) found.add(source);
  }
  return found;
}
