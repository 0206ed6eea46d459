import { workflowFunctions, type ExpressionScope, type WorkflowView } from '../../src';

/** The scope of expressions over workflow variables. @param view other parts of the workflow that a test needs */
export function scopeOf(variables: Record<string, unknown>, view: Partial<WorkflowView> = {}): ExpressionScope {
  const whole: WorkflowView = { variables, taskStatus: () => undefined, ...view };
  return { variables, functions: workflowFunctions(whole) };
}
