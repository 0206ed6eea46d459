import type { CurrentTask } from '@switchyard/expressions';
import type { Entry } from '../state/entries';
import type { Core } from './core';

/** What a task that has ended gave: for one with items the list of theirs. */
export function resultOf(core: Core, entry: Entry, given: unknown): unknown {
  const set = core.state.items.of(entry.items);
  if (set !== undefined) return set.results();
  return core.spec.tasks.get(entry.task)?.with === undefined ? (given ?? null) : [];
}

export const currentTask = ({ task, route, status }: Entry, result: unknown): CurrentTask => ({
  id: task,
  route,
  status: status ?? 'null',
  result,
});

/** Records that an entry has ended for good; the result is kept where it may be needed to undo the task. */
export function noteEnd(core: Core, entry: Entry, result: unknown): void {
  const { rollback } = core.spec.tasks.get(entry.task) ?? {};
  const mayBeUndone = entry.phase === 'body' && entry.status === 'succeeded' && rollback !== undefined;
  core.state.entries.patch(entry, { ended: core.state.count('ended'), ...(mayBeUndone ? { result } : {}) });
  if (mayBeUndone) core.state.entries.addUndoable(entry);
  core.state.entries.retire(entry);
}
