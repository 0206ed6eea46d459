import type { Graph } from './graph';

const known = new WeakMap<Graph, Map<string, ReadonlySet<string>>>();

/** All tasks from which there is a path to a task that does not pass another one; the task itself is one of them. */
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
