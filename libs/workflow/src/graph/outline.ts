import { readWorkflow } from '../spec/read-workflow';
import { rawDefinition, type DefinitionSource } from '../spec/source';
import type { WorkflowSpec } from '../spec/model';
import { composeGraph } from './compose';
import type { GraphTask, Transition } from './graph';

/** A task, or an engine command that can be reached, as it is drawn. */
export interface TaskOutline {
  /** The name of the task or of the command. */
  id: string;
  action?: string;
  join?: 'all' | number;
  with_items: boolean;
}

/** An arrow between two tasks as it is drawn. */
export interface TransitionOutline {
  from: string;
  to: string;
  /** The condition as written; absent for an unconditional transition. */
  when?: string;
}

/** The graph of a definition as it is drawn. */
export interface WorkflowOutline {
  nodes: TaskOutline[];
  edges: TransitionOutline[];
}

/**
 * The graph of a definition that may have findings: invalid parts are left out.
 * @throws DefinitionError for a source that is not a map, or invalid YAML
 */
export function outlineOf(source: DefinitionSource): WorkflowOutline {
  const spec = readWorkflow(rawDefinition(source).raw);
  const tasks = [...composeGraph(spec).tasks.values()];
  return {
    nodes: tasks.map((task) => taskOutline(task, spec)),
    edges: tasks.flatMap(({ next }) => next.map(transitionOutline)),
  };
}

export function taskOutline({ name }: GraphTask, spec: WorkflowSpec): TaskOutline {
  const { action, join, with: items } = spec.tasks.get(name) ?? {};
  return {
    id: name,
    ...(action === undefined ? {} : { action }),
    ...(join === undefined ? {} : { join }),
    with_items: items !== undefined,
  };
}

export const transitionOutline = ({ from, to, when }: Transition): TransitionOutline => ({
  from,
  to,
  ...(when === undefined ? {} : { when }),
});
