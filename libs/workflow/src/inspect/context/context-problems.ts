import { cleanUpNames, type Graph } from '../../graph';
import type { WorkflowSpec } from '../../spec/model';
import type { Problem } from '../finding';
import { openingSites, outputSites } from '../template-sites';
import { arrivals } from './arrivals';
import { flowOf, type FlowTask } from './flow';
import { NameBits, type NameSet } from './name-bits';
import { afterSteps, stepProblems, stepsOf } from './steps';

/**
 * Variables that are read before anything sets them. Names flow from the inputs and variables along the transitions to the
 * output, which knows whatever any task may have published, as do the tasks of `finally` and `rollback`.
 * @param given names that are known beforehand
 */
export function contextProblems(spec: WorkflowSpec, graph: Graph, given: readonly string[]): Problem[] {
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

/** As in the reference, what is wrong is told once for each way to the task, and once for each destination of a transition. */
function taskProblems(task: FlowTask | undefined, arriving: ReadonlySet<NameSet>): Problem[] {
  if (!task) return [];
  return [...arriving].flatMap((known) => [
    ...stepProblems(task.steps, known),
    ...task.arrows.flatMap(({ steps }) => stepProblems(steps, known)),
  ]);
}
