import { SECOND_MS } from '@switchyard/base';
import { mergeInto, type Values } from '../state/contexts';
import type { ContextAssignment } from '../spec/model';
import type { Core } from './core';
import { attempt, isProblem, number, typeProblem } from './definition-values';
import { stageStart } from './stage';

export interface Given {
  /** Context that the application adds to every workflow. */
  readonly context: Readonly<Record<string, unknown>>;
  /** Values for the declared inputs, taken literally. */
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** Renders inputs and variables into the first context and stages the start tasks, or fails the run. */
export function beginWorkflow(core: Core, given: Given, now: number | undefined): void {
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

function render(core: Core, variables: Record<string, unknown>, { name, value }: ContextAssignment): boolean {
  const outcome = attempt(() => core.renderer.value(value, { variables: { ...variables } }, core.evaluator));
  if (!isProblem(outcome)) return take(variables, name, outcome.value);
  core.logError(outcome.problem);
  return false;
}

/**
 * Computes the deadline from the definition's timeout and the given clock.
 * @returns false when the timeout cannot be evaluated, which is then in the error log
 */
export function setDeadline(core: Core, variables: Values, now: number | undefined): boolean {
  const { timeout } = core.spec;
  if (timeout === undefined) return true;
  const seconds = attempt(() => {
    const value = number(core.evaluator.evaluate(timeout, { variables }));
    if (value === undefined) throw typeProblem('The value of workflow timeout is not type of number.');
    return value;
  });
  if (isProblem(seconds)) {
    core.logError(seconds.problem);
    return false;
  }
  if (now !== undefined) core.state.setHead({ deadline: now + seconds.value * SECOND_MS });
  return true;
}

/** Only the body has a deadline; a run that is being canceled does not time out. */
export function expire(core: Core, now: number): boolean {
  const { deadline } = core.state.head;
  if (deadline === undefined || now < deadline || core.isCompleted || core.status === 'canceling') return false;
  core.logError('WorkflowTimeout: The workflow did not finish within its timeout.');
  core.fail();
  return true;
}
