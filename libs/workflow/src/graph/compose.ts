import type { RetrySpec, TaskSpec, WorkflowSpec } from '../spec/model';
import { nodesOnCycles } from './cycles';
import type { Barrier, Graph, GraphTask, Transition } from './graph';

/**
 * Builds the graph of a definition. Start tasks are those that no transition and no clean-up list names. The graph
 * contains what they lead to, together with the clean-up tasks, which have no arrows.
 */
export function composeGraph(spec: WorkflowSpec): Graph {
  const arrows = new Map([...spec.tasks.values()].map((task) => [task.name, arrowsFrom(task)]));
  const named = new Set([...arrows.values()].flat().map(({ to }) => to));
  const cleanUp = cleanUpNames(spec);
  const unnamed = [...spec.tasks.keys()].filter((name) => !named.has(name) && !cleanUp.has(name));
  const starts = [...(spec.start ?? unnamed)].sort();
  const reached = reachable(starts, arrows);
  const inbound = inboundSources(reached, arrows);
  const cyclic = nodesOnCycles(new Map([...arrows].map(([name, next]) => [name, next.map(({ to }) => to)])));
  const splits = splitNames(spec, arrows, cyclic);
  const tasks = new Map<string, GraphTask>();
  for (const name of new Set([...reached, ...cleanUp])) {
    tasks.set(name, graphTask(name, spec.tasks.get(name), arrows.get(name) ?? [], inbound.get(name), splits));
  }
  const repeated = reachable([...cyclic], arrows);
  const joinsRepeat = [...repeated].some((name) => tasks.get(name)?.barrier !== undefined);
  return { tasks, starts, joinsRepeat, hasCleanUp: cleanUp.size > 0 };
}

function graphTask(
  name: string,
  spec: TaskSpec | undefined,
  next: readonly Transition[],
  sources: ReadonlySet<string> = new Set(),
  splits: ReadonlySet<string>,
): GraphTask {
  const barrier = spec?.join === undefined ? undefined : barrierOf(spec.join, sources.size);
  const retry = spec === undefined ? undefined : retryOf(spec);
  return {
    name,
    next,
    sources,
    split: splits.has(name),
    ...(barrier === undefined ? {} : { barrier }),
    ...(retry === undefined ? {} : { retry }),
  };
}

const barrierOf = (join: 'all' | number, sources: number): Barrier => ({
  required: join === 'all' ? sources : Math.max(join, 1),
  sources,
});

const RETRIES_OF_COMMAND = 3;

/** The command `retry` in a transition replaces the task's own rule. */
function retryOf(task: TaskSpec): RetrySpec | undefined {
  const command = task.next.find((transition) => transition.do.includes('retry'));
  if (command === undefined) return task.retry;
  return { when: command.when ?? '<% completed() %>', count: RETRIES_OF_COMMAND };
}

function reachable(starts: readonly string[], arrows: ReadonlyMap<string, readonly Transition[]>): Set<string> {
  const reached = new Set(starts);
  for (const name of reached) for (const { to } of arrows.get(name) ?? []) reached.add(to);
  return reached;
}

function inboundSources(
  reached: ReadonlySet<string>,
  arrows: ReadonlyMap<string, readonly Transition[]>,
): Map<string, Set<string>> {
  const inbound = new Map<string, Set<string>>();
  for (const from of reached) {
    for (const { to } of arrows.get(from) ?? []) {
      const sources = inbound.get(to);
      if (sources === undefined) inbound.set(to, new Set([from]));
      else sources.add(from);
    }
  }
  return inbound;
}

/** Tasks without a join that several transitions name, unless they are on a cycle. */
function splitNames(
  spec: WorkflowSpec,
  arrows: ReadonlyMap<string, readonly Transition[]>,
  cyclic: ReadonlySet<string>,
): Set<string> {
  const counts = new Map<string, number>();
  for (const { to } of [...arrows.values()].flat()) counts.set(to, (counts.get(to) ?? 0) + 1);
  const isSplit = ([name, count]: [string, number]): boolean =>
    count > 1 && spec.tasks.get(name)?.join === undefined && !cyclic.has(name);
  return new Set([...counts].filter(isSplit).map(([name]) => name));
}

/** The arrows that leave a task, by destination and then as written. `retry` is a rule of the task, not an arrow. */
function arrowsFrom(task: TaskSpec): Transition[] {
  const keys = new Map<string, number>();
  const arrows = task.next.flatMap((transition, ref) =>
    [...new Set(transition.do)]
      .filter((to) => to !== 'retry')
      .map((to): Transition => {
        const key = keys.get(to) ?? 0;
        keys.set(to, key + 1);
        const { when, publish } = transition;
        const names = { id: `${to}__t${key}`, backId: `${task.name}__t${key}`, from: task.name, to };
        return { ...names, ref, publish, ...(when === undefined ? {} : { when }) };
      }),
  );
  return arrows.sort((a, b) => (a.to === b.to ? a.ref - b.ref : a.to < b.to ? -1 : 1));
}

/** The names of tasks that only the clean-up runs, which are not part of the body. */
export function cleanUpNames(spec: WorkflowSpec): Set<string> {
  const names = new Set(spec.finally);
  for (const { rollback } of spec.tasks.values()) if (rollback !== undefined) names.add(rollback);
  return names;
}
