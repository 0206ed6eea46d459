import { from, type MachineTable, type WorkflowStatus, type StatusOrUnset, nextStatus } from './statuses';
import { othersOf, type ItemCounts, type ItemGroup, ITEMS_TABLE } from './items-table';

const STARTABLE = ['requested', 'scheduled', 'delayed'] as const;
/** Every status in which an attempt may end: a completion is never lost, whatever was requested in the meantime. */
const UNDERWAY = ['running', 'pending', 'pausing', 'paused', 'resuming', 'canceling'] as const;

/**
 * How a task changes by the status of its action (`action_…`), by engine commands (`task_…`), and by a request on the
 * workflow (`workflow_…`) if it is in the middle of a list or waits for its retry.
 */
export const TASK_TABLE: MachineTable = {
  action_requested: { unset: 'requested' },
  action_scheduled: from(['unset', 'requested', 'delayed'], 'scheduled'),
  action_delayed: from(['unset', 'requested', 'scheduled'], 'delayed'),
  action_running: from(['unset', ...STARTABLE, 'running', 'paused', 'resuming', 'retrying'], 'running'),
  action_pending: from(['unset', ...STARTABLE, 'running'], 'pending'),
  action_pausing: from([...STARTABLE, 'running'], 'pausing'),
  action_paused: { ...from([...STARTABLE, 'running', 'pausing'], 'paused'), canceling: 'canceled' },
  action_resuming: from(['pausing', 'paused'], 'resuming'),
  action_succeeded: from(['unset', ...STARTABLE, ...UNDERWAY], 'succeeded'),
  action_failed: from(['unset', ...STARTABLE, ...UNDERWAY], 'failed'),
  action_timeout: { ...from(['unset', ...STARTABLE], 'timeout'), ...from(UNDERWAY, 'failed') },
  action_abandoned: { ...from(['unset', ...STARTABLE], 'abandoned'), ...from(UNDERWAY, 'failed') },
  action_canceling: from([...STARTABLE, 'running', 'pausing', 'paused', 'resuming', 'retrying'], 'canceling'),
  action_canceled: from(['unset', ...STARTABLE, ...UNDERWAY, 'retrying'], 'canceled'),
  task_continue_requested: { unset: 'succeeded' },
  task_noop_requested: { unset: 'succeeded' },
  task_fail_requested: { unset: 'failed' },
  task_retry_requested: from(['succeeded', 'failed', 'timeout', 'abandoned'], 'retrying'),
  workflow_pausing_items_active: { running: 'pausing' },
  workflow_pausing_items_dormant: { running: 'paused' },
  workflow_canceling_items_active: { running: 'canceling' },
  workflow_canceling_items_dormant: { running: 'canceled' },
};

/** @returns the task's new status after a status of its action; undefined if unchanged */
export const afterAction = (task: StatusOrUnset, action: WorkflowStatus): WorkflowStatus | undefined =>
  nextStatus(TASK_TABLE, task, `action_${action}`);

/** The state of the items; the item of the event is already counted with its new status. */
export interface ItemsNow {
  readonly counts: ItemCounts;
  readonly size: number;
  readonly own: ItemGroup | undefined;
}

/** @returns the new status of a with-items task after a status of one item; undefined if unchanged */
export function afterItem(
  task: StatusOrUnset,
  item: WorkflowStatus,
  { counts, size, own }: ItemsNow,
): WorkflowStatus | undefined {
  return (
    nextStatus(ITEMS_TABLE, task, `item_${item}_${othersOf(counts, size, own)}`) ??
    nextStatus(ITEMS_TABLE, task, `item_${item}`) ??
    (WITH_OTHERS.has(item) ? undefined : afterAction(task, item))
  );
}

/** For these statuses only the other items matter. */
const WITH_OTHERS: ReadonlySet<WorkflowStatus> = new Set<WorkflowStatus>([
  'resuming',
  'pending',
  'paused',
  'succeeded',
  'failed',
  'timeout',
  'abandoned',
  'canceled',
]);

export type EngineCommandEvent = 'continue' | 'noop' | 'fail' | 'retry';

export const afterCommand = (task: StatusOrUnset, command: EngineCommandEvent): WorkflowStatus | undefined =>
  nextStatus(TASK_TABLE, task, `task_${command}_requested`);

/** @returns the new status of a with-items task in the middle of its list after a request on the workflow */
export const afterWorkflowRequest = (
  task: StatusOrUnset,
  request: 'pausing' | 'canceling',
  hasActiveItems: boolean,
): WorkflowStatus | undefined =>
  nextStatus(TASK_TABLE, task, `workflow_${request}_items_${hasActiveItems ? 'active' : 'dormant'}`);
