import type { Graph } from '../../graph';
import type { Problem } from '../finding';
import { TASK } from '../schema-places';

/**
 * Joins whose branches do not run equally often: the splits above one of the sources are not those above the join, so that
 * nobody can tell at which level to join.
 */
export function joinProblems(graph: Graph): Problem[] {
  const above = splitsAbove(graph);
  return [...graph.tasks.values()]
    .filter(
      ({ name, barrier, sources }) => barrier && [...sources].some((source) => above.get(source) !== above.get(name)),
    )
    .map(({ name }) => ({ message: unreachable(name), path: ['tasks', name], schema: TASK }));
}

/** For each task the set of splits on any way to it, itself included, as a number with one bit for each split. */
function splitsAbove({ tasks }: Graph): ReadonlyMap<string, bigint> {
  const splits = [...tasks.values()].filter(({ split }) => split);
  const above = new Map([...tasks.keys()].map((name) => [name, 0n]));
  splits.forEach(({ name }, index) => above.set(name, 1n << BigInt(index)));
  const queue = new Set(tasks.keys());
  for (const name of queue) {
    queue.delete(name);
    for (const { to } of tasks.get(name)?.next ?? []) {
      const before = above.get(to) ?? 0n;
      const after = before | (above.get(name) ?? 0n);
      if (after === before) continue;
      above.set(to, after);
      queue.add(to);
    }
  }
  return above;
}

const unreachable = (name: string): string =>
  `The join task "${name}" is unreachable. A join task is determined to be unreachable if there are nested forks from ` +
  'multi-referenced tasks that join on the said task. This is ambiguous to the workflow engine because it does not know ' +
  'at which level should the join occurs.';
