import { namesOnEveryWay, namesOverAllWays, type FlowTask } from './flow';
import type { NameSet } from './name-bits';
import { afterSteps } from './steps';

/** Of a task with more different sets than that, only what they have in common is looked at. */
const MAX_SETS = 16;

type Arrivals = ReadonlyMap<string, ReadonlySet<NameSet>>;

/**
 * The different sets of names that a task may find when it starts. A task that is reached on several ways runs once for
 * each, and does not see what the others published; a join runs once and sees it all.
 */
export function arrivals(flow: ReadonlyMap<string, FlowTask>, starts: readonly string[], opening: NameSet): Arrivals {
  const merged = namesOverAllWays(flow, starts, opening);
  const common = namesOnEveryWay(flow, starts, opening, merged);
  const found = new Map<string, Set<NameSet>>();
  const queue: [string, NameSet][] = starts.map((start) => [start, opening]);
  for (const [name, arriving] of queue) {
    const task = flow.get(name);
    if (!task) continue;
    const sets = found.get(name) ?? new Set();
    found.set(name, sets);
    const added = addSet(sets, task.joins ? (merged.get(name) ?? arriving) : arriving, common.get(name) ?? 0n);
    if (added === undefined) continue;
    for (const { to, steps } of task.arrows) queue.push([to, afterSteps(steps, added)]);
  }
  return new Map(
    [...found].map(([name, sets]) => [name, sets.size > MAX_SETS ? new Set([common.get(name) ?? 0n]) : sets]),
  );
}

/** @returns the set to go on with, undefined when nothing is new */
function addSet(sets: Set<NameSet>, names: NameSet, common: NameSet): NameSet | undefined {
  if (sets.size > MAX_SETS || sets.has(names)) return undefined;
  sets.add(names);
  return sets.size > MAX_SETS ? common : names;
}
