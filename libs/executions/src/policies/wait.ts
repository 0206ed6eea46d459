import type { ExecutionRecord, Limit } from '@switchyard/model';
import { transition, type TransitionDeps } from '../transition';

/**
 * Takes an execution out of the backlog until there is room in a group. One that was delayed by its request already stays
 * so. Nothing happens to one that has changed since it was read.
 */
export async function waitForRoom(deps: TransitionDeps, record: ExecutionRecord, limit: Limit): Promise<void> {
  const { revision } = record;
  const set = { waits_on: limit.key, waiting_for: `policy "${limit.policy.ref}"` };
  if (record.status === 'requested') {
    await transition(deps, record, 'delayed', { from: ['requested'], revision, set });
    return;
  }
  const others = (record.due ?? []).filter((consumer) => consumer !== 'scheduler');
  await deps.executions.change(
    record._id,
    { status: ['delayed'], revision },
    {
      set: { ...set, ...(others.length > 0 ? { due: others } : {}) },
      unset: others.length > 0 ? [] : ['due', 'due_at'],
      inc: { revision: 1 },
    },
  );
}
