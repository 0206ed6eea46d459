import { from, type MachineTable } from './statuses';

/** How many of a task's items are in each group; items that have not started are in none. */
export interface ItemCounts {
  readonly active: number;
  readonly paused: number;
  readonly canceled: number;
  readonly failed: number;
  readonly succeeded: number;
}

export type ItemGroup = keyof ItemCounts;

/** The state of the other items when one item has an event. @param own the group that counts this item itself */
export function othersOf(counts: ItemCounts, size: number, own: ItemGroup | undefined): string {
  const without = (group: ItemGroup): number => counts[group] - (own === group ? 1 : 0);
  if (without('active') > 0) return 'active_incomplete';
  if (without('paused') > 0) return 'dormant_paused';
  if (without('canceled') > 0) return 'dormant_canceled';
  if (without('failed') > 0) return 'dormant_failed';
  return without('succeeded') < size - 1 ? 'dormant_incomplete' : 'dormant_completed';
}

/** Whether there are items that have not ended. */
export const isIncomplete = (counts: ItemCounts, size: number): boolean =>
  counts.canceled + counts.failed + counts.succeeded < size;

const ANY = ['running', 'pausing', 'canceling', 'paused', 'pending'] as const;
const NOT_CANCELING = ['running', 'pausing', 'paused', 'pending'] as const;

const unlessCanceling = (result: 'failed' | 'paused'): MachineTable[string] => ({
  ...from(NOT_CANCELING, result),
  canceling: 'canceled',
});

const FAILURE = {
  active_incomplete: {},
  dormant_paused: unlessCanceling('failed'),
  dormant_canceled: from(ANY, 'canceled'),
  dormant_failed: unlessCanceling('failed'),
  dormant_incomplete: unlessCanceling('failed'),
  dormant_completed: unlessCanceling('failed'),
} as const;

const HELD = {
  active_incomplete: { running: 'pausing' },
  dormant_paused: unlessCanceling('paused'),
  dormant_canceled: from(ANY, 'canceled'),
  dormant_failed: unlessCanceling('failed'),
  dormant_incomplete: unlessCanceling('paused'),
  dormant_completed: unlessCanceling('paused'),
} as const;

const ROWS = {
  succeeded: {
    active_incomplete: from(['paused', 'pending'], 'running'),
    dormant_paused: unlessCanceling('paused'),
    dormant_canceled: from(ANY, 'canceled'),
    dormant_failed: unlessCanceling('failed'),
    dormant_incomplete: {
      ...from(['running', 'paused', 'pending'], 'running'),
      pausing: 'paused',
      canceling: 'canceled',
    },
    dormant_completed: from(ANY, 'succeeded'),
  },
  failed: FAILURE,
  timeout: FAILURE,
  abandoned: FAILURE,
  paused: HELD,
  pending: HELD,
  canceled: {
    active_incomplete: { running: 'canceling' },
    dormant_paused: from(ANY, 'canceled'),
    dormant_canceled: from(ANY, 'canceled'),
    dormant_failed: from(ANY, 'canceled'),
    dormant_incomplete: from(ANY, 'canceled'),
    dormant_completed: from(ANY, 'canceled'),
  },
} as const;

const WITH_OTHERS: MachineTable = Object.fromEntries(
  Object.entries(ROWS).flatMap(([status, row]) =>
    Object.entries(row).map(([others, cells]) => [`item_${status}_${others}`, cells]),
  ),
);

/**
 * How the status of one item changes its task, by the state of the *other* items: `item_<status>_<others>`. A task
 * whose items are paused or pending runs again as soon as one of them does.
 */
export const ITEMS_TABLE: MachineTable = {
  ...WITH_OTHERS,
  item_running: from(
    ['unset', 'requested', 'scheduled', 'delayed', 'paused', 'pending', 'resuming', 'retrying'],
    'running',
  ),
};
