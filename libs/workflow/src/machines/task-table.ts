import { from, type MachineTable } from './table';

const STARTABLE = ['requested', 'scheduled', 'delayed'] as const;
/** Every status from which an attempt may end: a completion is never lost, whatever was asked for in the meantime. */
const UNDERWAY = ['running', 'pending', 'pausing', 'paused', 'resuming', 'canceling'] as const;

/**
 * What the status of an action does to its task (`action_…`), what engine commands do (`task_…`), and what a request on
 * the workflow does to a with-items task in the middle of its list (`workflow_…`) or to one that waits for its retry.
 */
export const TASK_TABLE: MachineTable = {
  action_requested: { unset: 'requested' },
  action_scheduled: from(['unset', 'requested', 'delayed'], 'scheduled'),
  action_delayed: from(['unset', 'requested', 'scheduled'], 'delayed'),
  action_running: from(['unset', ...STARTABLE, 'running', 'resuming', 'retrying'], 'running'),
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
