import { ExpressionError, type HostFunction } from '../evaluate/scope';
import { toText } from '../jinja/values/text';
import type { WorkflowView } from './workflow-view';

/** `task_status(id, route)` and `task(id, route)`: what is known of any task. */
export const taskFunctions = (view: WorkflowView): [string, HostFunction][] => [
  [
    'task_status',
    {
      parameters: ['task_id', 'route'],
      required: 1,
      call: ([id, route]) => view.taskStatus(toText(id), routeOf(route) ?? view.currentTask?.route) ?? 'null',
    },
  ],
  [
    'task',
    { parameters: ['task_id', 'route'], required: 0, call: ([id, route]) => taskRecord(view, id, routeOf(route)) },
  ],
];

function taskRecord(view: WorkflowView, givenId: unknown, route: number | undefined): unknown {
  const id = givenId ?? view.currentTask?.id;
  if (id === undefined) throw failure('The current task is not set in the context.');
  const name = toText(id);
  const record = view.task?.(name, route ?? view.currentTask?.route);
  if (record === undefined) throw failure(`Unable to find task execution for "${name}".`);
  return record;
}

function routeOf(route: unknown): number | undefined {
  if (route === undefined || route === null) return undefined;
  if (typeof route === 'number' && Number.isInteger(route) && route >= 0) return route;
  throw new ExpressionError('TypeError', 'The route of a task is not a number of a route.', '');
}

const failure = (message: string): ExpressionError => new ExpressionError('ExpressionEvaluationException', message, '');
