import { workflowFunctions, type ExpressionScope, type WorkflowView } from '../../src';

/** The scope of expressions over workflow variables. @param view what else a test needs of the workflow */
export function scopeOf(variables: Record<string, unknown>, view: Partial<WorkflowView> = {}): ExpressionScope {
  const whole: WorkflowView = { variables, taskStatus: () => undefined, ...view };
  return { variables, functions: workflowFunctions(whole) };
}
