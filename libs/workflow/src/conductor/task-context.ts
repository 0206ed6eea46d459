import { isDeepStrictEqual } from 'node:util';
import type { Values } from '../state/contexts';
import type { TaskEntry } from '../state/entries';
import type { Core } from './core';

/** The variables of one run of a task. */
export interface TaskContext {
  readonly status: string | null;
  /** With which it started, without those that the application gives every workflow. */
  readonly before: Values;
  /** What it has passed on, by the transitions that fired. */
  readonly after: readonly PassedContext[];
}

export interface PassedContext {
  /** The tasks and engine commands that got it. */
  readonly to: readonly string[];
  /** The variables that were published, as they are afterwards. Maps are merged into those from before. */
  readonly published: Values;
}

/** @returns undefined if the task has no such run */
export function taskContext(core: Core, { task, route, round }: TaskOfRun): TaskContext | undefined {
  const entry = core.state.entries.all.find(
    (each) => each.task === task && each.route === route && each.round === round,
  );
  if (entry === undefined) return undefined;
  return { status: entry.status, before: ownVariables(core, entry), after: passedOn(core, entry) };
}

/** A run of a task. */
interface TaskOfRun {
  readonly task: string;
  readonly route: number;
  readonly round: number;
}

/** What is the same for all tasks is left out: variables that are given and were neither declared nor changed. */
function ownVariables(core: Core, { context }: TaskEntry): Values {
  const { spec, state } = core;
  const declared = new Set([...spec.input, ...spec.vars].map(({ name }) => name));
  const first = state.contexts.resolve(0);
  const variables = Object.entries(state.contexts.resolve(context));
  return Object.fromEntries(
    variables.filter(([name, value]) => declared.has(name) || !isDeepStrictEqual(first[name], value)),
  );
}

function passedOn(core: Core, entry: TaskEntry): PassedContext[] {
  const targets = new Map<number, string[]>();
  for (const { id, to } of core.graph.tasks.get(entry.task)?.next ?? []) {
    const context = entry.out[id];
    if (context !== undefined) targets.set(context, [...(targets.get(context) ?? []), to]);
  }
  // A chain keeps the result of its last node as well.
  if (targets.size === 0 && entry.leaf !== undefined) targets.set(entry.leaf, []);
  return [...targets].map(([context, to]) => ({ to, published: publishedSince(core, entry.context, context) }));
}

function publishedSince({ state: { contexts } }: Core, before: number, after: number): Values {
  const published: Values[] = [];
  for (let at = after; at > before; at = contexts.nodes[at]!.base) published.push(contexts.nodes[at]!.values ?? {});
  const names = new Set(published.reverse().flatMap(Object.keys));
  const values = contexts.resolve(after);
  return Object.fromEntries([...names].map((name) => [name, values[name]]));
}
