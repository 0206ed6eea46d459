import { mergeInto } from '../state/deep-merge';
import type { Assignment } from '../spec/model';
import type { Core } from './core';
import { attempt, isProblem } from './problem';
import { setDeadline } from './deadline';
import { stageStart } from './stage';

export interface Given {
  /** What the application adds to the context of every workflow. */
  readonly context: Readonly<Record<string, unknown>>;
  /** Values for the declared inputs; they are data and are taken as they are. */
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** Renders inputs and variables into the first context and stages the start tasks, or ends the run as failed. */
export function begin(core: Core, given: Given, now: number | undefined): void {
  const variables: Record<string, unknown> = {};
  mergeInto(variables, given.context);
  const isSound = [
    ...core.spec.input.map(({ name, default: preset = null }) =>
      Object.hasOwn(given.inputs, name)
        ? take(variables, name, given.inputs[name])
        : render(core, variables, { name, value: preset }),
    ),
    ...core.spec.vars.map((assignment) => render(core, variables, assignment)),
  ].every(Boolean);
  core.state.contexts.publish(-1, variables);
  core.state.addRoute(-1, '');
  const hasDeadline = isSound && setDeadline(core, variables, now);
  if (!hasDeadline) return core.fail();
  for (const task of core.graph.starts) stageStart(core, task);
}

function take(variables: Record<string, unknown>, name: string, value: unknown): boolean {
  mergeInto(variables, { [name]: value ?? null });
  return true;
}

function render(core: Core, variables: Record<string, unknown>, { name, value }: Assignment): boolean {
  const outcome = attempt(() => core.renderer.value(value, { variables: { ...variables } }, core.evaluator));
  if (!isProblem(outcome)) return take(variables, name, outcome.value);
  core.logError(outcome.problem);
  return false;
}
