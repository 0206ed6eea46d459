import { othersOf, type ItemCounts, type ItemGroup } from './items-suffix';
import { ITEMS_TABLE } from './items-table';
import type { Status, StatusOrUnset } from './statuses';
import { nextStatus } from './table';
import { TASK_TABLE } from './task-table';

/** @returns what a task becomes by the status of its action, undefined when that changes nothing */
export const afterAction = (task: StatusOrUnset, action: Status): Status | undefined =>
  nextStatus(TASK_TABLE, task, `action_${action}`);

/** The state of the items, the one with the event already counted by its new status. */
export interface ItemsNow {
  readonly counts: ItemCounts;
  readonly size: number;
  readonly own: ItemGroup | undefined;
}

/** @returns what a with-items task becomes by the status of one item, undefined when that changes nothing */
export function afterItem(task: StatusOrUnset, item: Status, { counts, size, own }: ItemsNow): Status | undefined {
  return (
    nextStatus(ITEMS_TABLE, task, `item_${item}_${othersOf(counts, size, own)}`) ??
    nextStatus(ITEMS_TABLE, task, `item_${item}`) ??
    (WITH_OTHERS.has(item) ? undefined : afterAction(task, item))
  );
}

/** With these the other items decide alone. */
const WITH_OTHERS: ReadonlySet<Status> = new Set<Status>([
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

export const afterCommand = (task: StatusOrUnset, command: EngineCommandEvent): Status | undefined =>
  nextStatus(TASK_TABLE, task, `task_${command}_requested`);

/** @returns what a with-items task in the middle of its list becomes by a request on the workflow */
export const afterWorkflowRequest = (
  task: StatusOrUnset,
  request: 'pausing' | 'canceling',
  hasActiveItems: boolean,
): Status | undefined =>
  nextStatus(TASK_TABLE, task, `workflow_${request}_items_${hasActiveItems ? 'active' : 'dormant'}`);
