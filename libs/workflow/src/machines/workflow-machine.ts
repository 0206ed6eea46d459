import { ABENDED, type WorkflowStatus, from, type MachineTable, type StatusOrUnset, nextStatus } from './statuses';

const BEFORE = ['requested', 'scheduled', 'delayed'] as const;
const GOING = ['running', 'pausing', 'resuming'] as const;
const UNFINISHED = [...BEFORE, ...GOING, 'paused', 'canceling'] as const;

const requests: MachineTable = {
  workflow_requested: { unset: 'requested' },
  workflow_scheduled: from(['unset', 'requested', 'delayed'], 'scheduled'),
  workflow_delayed: from(['unset', 'requested', 'scheduled'], 'delayed'),
  workflow_running: from(['unset', ...BEFORE, 'pausing', 'paused', 'resuming'], 'running'),
  workflow_running_completed: { paused: 'succeeded' },
  workflow_resuming: from(['pausing', 'paused'], 'resuming'),
  workflow_resuming_completed: { paused: 'succeeded' },
  workflow_succeeded: { running: 'succeeded' },
  workflow_failed: from(['unset', ...UNFINISHED, 'succeeded'], 'failed'),
  workflow_pausing_active: from(GOING, 'pausing'),
  workflow_pausing_dormant: from([...BEFORE, ...GOING], 'paused'),
  workflow_canceling_active: from([...GOING, 'canceling'], 'canceling'),
  workflow_canceling_dormant: from(UNFINISHED, 'canceled'),
};

/** A task came to rest: the workflow's new status for each of its own statuses. */
const rest = (going: WorkflowStatus, canceling: WorkflowStatus): MachineTable[string] => ({
  ...from(GOING, going),
  canceling,
});

const CALM = ['running', 'resuming'] as const;

const completions: MachineTable = {
  active_incomplete: { ...from(CALM, 'running'), pausing: 'pausing', canceling: 'canceling' },
  active_completed: { ...from(CALM, 'running'), pausing: 'pausing', canceling: 'canceling' },
  active_paused: { ...from(['running', 'pausing'], 'pausing'), canceling: 'canceling' },
  active_canceled: { ...from(GOING, 'canceling'), canceling: 'canceling' },
  dormant_incomplete: { ...from(CALM, 'running'), pausing: 'paused', canceling: 'canceled' },
  dormant_completed: { ...from(CALM, 'succeeded'), pausing: 'paused', canceling: 'canceled' },
  dormant_paused: rest('paused', 'canceled'),
  dormant_canceled: rest('canceled', 'canceled'),
};

const renamed = (prefix: string, rows: MachineTable): MachineTable =>
  Object.fromEntries(Object.entries(rows).map(([name, row]) => [`${prefix}_${name}`, row]));

/** Failure of a task, however its action ended. */
const failures: MachineTable = Object.fromEntries(
  [...ABENDED].flatMap((status) => [
    [`task_${status}_active`, rest('failed', 'canceling')],
    [`task_${status}_dormant`, rest('failed', 'canceled')],
  ]),
);

/** How requests (`workflow_…`) and statuses of tasks (`task_…`) change the workflow. */
export const WORKFLOW_TABLE: MachineTable = {
  ...requests,
  ...renamed('task_succeeded', completions),
  ...renamed('task_remediated', completions),
  ...failures,
  task_running: from(['paused', 'resuming'], 'running'),
  task_resuming: { paused: 'running' },
  task_pending_active: rest('pausing', 'canceling'),
  task_pending_dormant: rest('paused', 'canceled'),
  task_paused_active: { running: 'running', resuming: 'running', pausing: 'pausing', canceling: 'canceling' },
  task_paused_dormant: rest('paused', 'canceled'),
  task_canceling: from(GOING, 'canceling'),
  task_canceled_active: rest('canceling', 'canceling'),
  task_canceled_dormant: rest('canceled', 'canceled'),
  task_retrying_active: { pausing: 'pausing', canceling: 'canceling' },
  task_retrying_dormant: { pausing: 'paused', canceling: 'canceled' },
};

/** The state of the tasks, as far as the machine needs it. Counts cover the latest entry of each task in each route. */
export interface TaskCounts {
  readonly active: number;
  readonly pausedLike: number;
  readonly canceledLike: number;
  /** Tasks that could be dispatched. */
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

/** @returns the workflow's new status after a requested status; undefined if unchanged */
export const afterRequest = (
  workflow: StatusOrUnset,
  request: RequestableStatus,
  tasks: TaskCounts,
): WorkflowStatus | undefined => nextStatus(WORKFLOW_TABLE, workflow, requestEvent(workflow, request, tasks));

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
 * @param task the task's new status; `remediated` for a handled failure
 * @returns the workflow's new status; undefined if unchanged
 */
export const afterTask = (
  workflow: StatusOrUnset,
  task: WorkflowStatus | 'remediated',
  tasks: TaskCounts,
): WorkflowStatus | undefined => nextStatus(WORKFLOW_TABLE, workflow, taskEvent(task, tasks));

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

function taskEvent(task: WorkflowStatus | 'remediated', tasks: TaskCounts): string {
  if (!WITH_ACTIVITY.has(task)) return `task_${task}`;
  const event = `task_${task}_${tasks.active > 0 ? 'active' : 'dormant'}`;
  return task === 'succeeded' || task === 'remediated' ? `${event}_${progress(tasks)}` : event;
}

function progress({ canceledLike, pausedLike, ready }: TaskCounts): string {
  if (canceledLike > 0) return 'canceled';
  if (pausedLike > 0) return 'paused';
  return ready > 0 ? 'incomplete' : 'completed';
}
