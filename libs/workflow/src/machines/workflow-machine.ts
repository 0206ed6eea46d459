import type { Status, StatusOrUnset } from './statuses';
import { nextStatus } from './table';
import { WORKFLOW_TABLE } from './workflow-table';

/** What the machine has to know of the tasks. Counts are over the latest entry of each task in each route. */
export interface TaskCounts {
  readonly active: number;
  readonly pausedLike: number;
  readonly canceledLike: number;
  /** Tasks that could be handed out. */
  readonly ready: number;
}

export type RequestableStatus =
  | 'requested'
  | 'scheduled'
  | 'delayed'
  | 'running'
  | 'pausing'
  | 'paused'
  | 'resuming'
  | 'canceling'
  | 'canceled'
  | 'succeeded'
  | 'failed';

/** @returns what a workflow becomes when a status is asked for, undefined when that changes nothing */
export const afterRequest = (
  workflow: StatusOrUnset,
  request: RequestableStatus,
  tasks: TaskCounts,
): Status | undefined => nextStatus(WORKFLOW_TABLE, workflow, requestEvent(workflow, request, tasks));

function requestEvent(workflow: StatusOrUnset, request: RequestableStatus, tasks: TaskCounts): string {
  const activity = tasks.active > 0 ? 'active' : 'dormant';
  if (request === 'pausing' || request === 'paused') return `workflow_pausing_${activity}`;
  if (request === 'canceling' || request === 'canceled') return `workflow_canceling_${activity}`;
  const isGoingOn = request === 'running' || request === 'resuming';
  if (isGoingOn && workflow === 'paused' && isAtEnd(tasks)) return `workflow_${request}_completed`;
  return `workflow_${request}`;
}

const isAtEnd = ({ active, pausedLike, ready }: TaskCounts): boolean => active === 0 && pausedLike === 0 && ready === 0;

/**
 * @param task the task's new status; `remediated` for a failure that leads on
 * @returns what the workflow becomes, undefined when that changes nothing
 */
export const afterTask = (
  workflow: StatusOrUnset,
  task: Status | 'remediated',
  tasks: TaskCounts,
): Status | undefined => nextStatus(WORKFLOW_TABLE, workflow, taskEvent(task, tasks));

const WITH_ACTIVITY: ReadonlySet<string> = new Set([
  'pending',
  'paused',
  'succeeded',
  'failed',
  'timeout',
  'abandoned',
  'remediated',
  'canceled',
  'retrying',
]);

function taskEvent(task: Status | 'remediated', tasks: TaskCounts): string {
  if (!WITH_ACTIVITY.has(task)) return `task_${task}`;
  const event = `task_${task}_${tasks.active > 0 ? 'active' : 'dormant'}`;
  return task === 'succeeded' || task === 'remediated' ? `${event}_${progress(tasks)}` : event;
}

function progress({ canceledLike, pausedLike, ready }: TaskCounts): string {
  if (canceledLike > 0) return 'canceled';
  if (pausedLike > 0) return 'paused';
  return ready > 0 ? 'incomplete' : 'completed';
}
