import { cleanUpNames, type Graph } from '../../graph';
import type { WorkflowSpec } from '../../spec/model';
import type { InspectionProblem } from '../finding';
import { openingSites, outputSites } from '../template-sites';
import { flowOf, type FlowTask, namesOnEveryWay, namesOverAllWays } from './flow';
import { NameBits, type NameSet, afterSteps, stepProblems, stepsOf } from './steps';

/**
 * Finds variables that are read before they are set. Names flow from the inputs and variables along the transitions to
 * the output, which knows whatever any task may have published, as do the tasks of `finally` and `rollback`.
 * @param given names known beforehand
 */
export function contextProblems(spec: WorkflowSpec, graph: Graph, given: readonly string[]): InspectionProblem[] {
  const bits = new NameBits();
  const opening = stepsOf(openingSites(spec), bits);
  const known = bits.all(given);
  const flow = flowOf(spec, graph, bits);
  const start = afterSteps(opening, known);
  const end = [...flow.values()]
    .flatMap(({ arrows }) => arrows)
    .reduce((all, { steps }) => afterSteps(steps, all), start);
  const cleanUp = [...cleanUpNames(spec)].map((name) => [name, new Set([end])] as const);
  const sets = new Map([...arrivals(flow, graph.starts, start), ...cleanUp]);
  return [
    ...stepProblems(opening, known),
    ...[...sets].flatMap(([name, arriving]) => taskProblems(flow.get(name), arriving)),
    ...stepProblems(stepsOf(outputSites(spec), bits), end),
  ];
}

/**
 * As in the reference, a problem is reported once for each way to the task, and for each destination of a transition.
 */
function taskProblems(task: FlowTask | undefined, arriving: ReadonlySet<NameSet>): InspectionProblem[] {
  if (!task) return [];
  return [...arriving].flatMap((known) => [
    ...stepProblems(task.steps, known),
    ...task.arrows.flatMap(({ steps }) => stepProblems(steps, known)),
  ]);
}

/** For a task with more different sets, only the names common to all are checked. */
const MAX_SETS = 16;

type Arrivals = ReadonlyMap<string, ReadonlySet<NameSet>>;

/**
 * The different sets of names that a task may know when it starts. A task reached in several ways runs once for each
 * and does not see what the others published; a join runs once and sees everything.
 */
function arrivals(flow: ReadonlyMap<string, FlowTask>, starts: readonly string[], opening: NameSet): Arrivals {
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

/** @returns the set to continue with; undefined if it is not new */
function addSet(sets: Set<NameSet>, names: NameSet, common: NameSet): NameSet | undefined {
  if (sets.size > MAX_SETS || sets.has(names)) return undefined;
  sets.add(names);
  return sets.size > MAX_SETS ? common : names;
}
