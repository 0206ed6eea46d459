/** How many of a task's items are in each group; those that have not started are in none. */
export interface ItemCounts {
  readonly active: number;
  readonly paused: number;
  readonly canceled: number;
  readonly failed: number;
  readonly succeeded: number;
}

export type ItemGroup = keyof ItemCounts;

/**
 * The state of the other items when one of them has an event.
 * @param own the group that the one item itself is counted in
 */
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
