import { JinjaError } from '../values/jinja-error';
import { type Budget, onBudget } from './budget';

/** Works on a budget. Deep data or recursion without end meets the engine's own limit, which is a failure of the template. */
export function guarded<T>(budget: Budget, work: () => T): T {
  try {
    return onBudget(budget, work);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new JinjaError('RecursionError', 'maximum recursion depth exceeded', { cause: error });
  } finally {
    budget.settle();
  }
}
