import { ExpressionError, type HostFunction } from '../evaluate/scope';
import type { CurrentTask, WorkflowView } from './workflow-view';

const COMPLETED: readonly string[] = ['succeeded', 'failed', 'timeout', 'abandoned', 'canceled'];

/** `result()`, `succeeded()`, `failed()` and `completed()` of the task that has just ended. */
export const currentTaskFunctions = (view: WorkflowView): [string, HostFunction][] => [
  ['result', ofCurrentTask(view, ({ result }) => result ?? null)],
  ['succeeded', ofCurrentTask(view, ({ status }) => status === 'succeeded')],
  ['failed', ofCurrentTask(view, ({ status }) => status === 'failed')],
  ['completed', ofCurrentTask(view, ({ status }) => COMPLETED.includes(status))],
];

const ofCurrentTask = (view: WorkflowView, read: (task: CurrentTask) => unknown): HostFunction => ({
  parameters: [],
  required: 0,
  call: () => {
    if (view.currentTask !== undefined) return read(view.currentTask);
    throw new ExpressionError('ExpressionEvaluationException', 'The current task is not set in the context.', '');
  },
});
