import type { Graph, Transition } from '../../graph';
import type { WorkflowSpec } from '../../spec/model';
import { taskSites, transitionSites } from '../template-sites';
import { type NameBits, type NameSet, afterSteps, stepsOf, type InspectedStep } from './steps';

/** A transition to one task or command. */
export interface FlowArrow {
  readonly to: string;
  readonly steps: readonly InspectedStep[];
}

export interface FlowTask {
  readonly name: string;
  readonly joins: boolean;
  readonly steps: readonly InspectedStep[];
  readonly arrows: readonly FlowArrow[];
}

/** What each reachable task evaluates, and where names flow from it. */
export function flowOf(spec: WorkflowSpec, graph: Graph, bits: NameBits): ReadonlyMap<string, FlowTask> {
  const tasks = [...graph.tasks.values()].flatMap(({ name, next }) => {
    const task = spec.tasks.get(name);
    if (!task) return [];
    const transitions = task.next.map((transition, index) => stepsOf(transitionSites(name, index, transition), bits));
    const arrow = ({ to, ref }: Pick<Transition, 'to' | 'ref'>): FlowArrow => ({ to, steps: transitions[ref] ?? [] });
    // A rule of the task for the graph, but its transition is written like others.
    const retries = task.next.flatMap(({ do: targets }, ref) =>
      targets.includes('retry') ? [{ to: 'retry', ref }] : [],
    );
    const flow: FlowTask = {
      name,
      joins: task.join !== undefined,
      steps: stepsOf(taskSites(task), bits),
      arrows: [...next, ...retries].map(arrow),
    };
    return [[name, flow] as const];
  });
  return new Map(tasks);
}

/**
 * The names that a task may know, over all ways that lead to it.
 * @param opening names known when the start tasks start
 */
export function namesOverAllWays(
  flow: ReadonlyMap<string, FlowTask>,
  starts: readonly string[],
  opening: NameSet,
): Map<string, NameSet> {
  const names = new Map(starts.map((start) => [start, opening]));
  const queue = new Set(starts);
  for (const name of queue) {
    queue.delete(name);
    for (const { to, steps } of flow.get(name)?.arrows ?? []) {
      const known = names.get(to);
      const next = (known ?? 0n) | afterSteps(steps, names.get(name) ?? 0n);
      if (next === known) continue;
      names.set(to, next);
      queue.add(to);
    }
  }
  return names;
}

/**
 * The names that a task knows on every way that leads to it; for a join, the names over all ways.
 * @param merged result of `namesOverAllWays`
 */
export function namesOnEveryWay(
  flow: ReadonlyMap<string, FlowTask>,
  starts: readonly string[],
  opening: NameSet,
  merged: ReadonlyMap<string, NameSet>,
): Map<string, NameSet> {
  const names = new Map(starts.map((start) => [start, opening]));
  const queue = new Set(starts);
  for (const name of queue) {
    queue.delete(name);
    for (const { to, steps } of flow.get(name)?.arrows ?? []) {
      const known = names.get(to);
      const arriving = afterSteps(steps, names.get(name) ?? 0n);
      const next = flow.get(to)?.joins ? (merged.get(to) ?? 0n) : known === undefined ? arriving : known & arriving;
      if (next === known) continue;
      names.set(to, next);
      queue.add(to);
    }
  }
  return names;
}
