import { SECOND_MS } from '@switchyard/base';
import type { Values } from '../state/contexts';
import type { Core } from './core';
import { number } from './numbers';
import { attempt, isProblem, typeProblem } from './problem';

/**
 * Reckons when the run has to be ended, from the definition's timeout and the clock that was passed in.
 * @returns false when the timeout cannot be evaluated; it is then in the error log
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

/** Only the body has a deadline; a run that is being cancelled ends by that. */
export function expire(core: Core, now: number): boolean {
  const { deadline } = core.state.head;
  if (deadline === undefined || now < deadline || core.isCompleted || core.status === 'canceling') return false;
  core.logError('WorkflowTimeout: The workflow did not end in the time that its definition gives it.');
  core.fail();
  return true;
}
