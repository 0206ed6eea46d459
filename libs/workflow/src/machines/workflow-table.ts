import { ABENDED, type Status } from './statuses';
import { from, type MachineTable } from './table';

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

/** A task that has come to rest: what the workflow becomes in each of its own statuses. */
const rest = (going: Status, canceling: Status): MachineTable[string] => ({ ...from(GOING, going), canceling });

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

/** What requests (`workflow_…`) and the statuses of tasks (`task_…`) do to the workflow. */
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
