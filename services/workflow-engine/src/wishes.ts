import type { ExecutionRecord, Status } from '@switchyard/model';
import type { Engine } from './engine';
import type { Note } from './note';
import type { Run } from './run';
import { tolerant } from './tolerant';
import { userOf } from './user-of';

/** Statuses of an execution in which its user wants something of the run, and what the conductor is asked for then. */
export const WISHES: Readonly<Partial<Record<Status, Status>>> = {
  pausing: 'pausing',
  resuming: 'resuming',
  canceling: 'canceled',
};

/** An engine brings executions into these statuses as well, but then nobody has to act on it. */
const asks = ({ status, due }: ExecutionRecord): boolean =>
  WISHES[status] !== undefined && due?.includes('workflow-engine') === true;

/** A wish that no step of the run was written with yet: it is not to be overwritten. */
export const isUnheard = ({ execution, history }: Run): boolean => asks(execution) && execution.revision > history.wish;

/**
 * What is wished of the run, to be told before anything else: a wish counts from when it was stored, and its message may come
 * later than the one about an action that has ended meanwhile.
 */
export async function wishesAmong({ store }: Engine, run: Run, notes: readonly Note[]): Promise<ExecutionRecord[]> {
  const told = notes.flatMap((note) => ('own' in note ? [note.own] : []));
  if (told.length > 0 || !notes.some((note) => 'child' in note)) return told;
  const own = await store.executions.get(run.execution._id);
  return own && asks(own) && own.revision > run.heard ? [own] : [];
}

/**
 * What is wished of a run while it has a turn: one that requests a thousand actions may take long, and one in a tree that is
 * being canceled must not wait until it is its turn to be told.
 */
export async function wishesMeanwhile(
  { store, executions }: Engine,
  run: Run,
  isLong: boolean,
): Promise<ExecutionRecord[]> {
  const { _id: id, root, status } = run.execution;
  if (status === 'canceling' || run.conductor.isCompleted) return [];
  const top = root === undefined ? undefined : await store.executions.get(root);
  const isCanceled = top?.status === 'canceling' || top?.status === 'canceled';
  if (top && isCanceled) await tolerant(() => executions.cancel(id, userOf(top, 'cancelled_by')));
  else if (!isLong) return [];
  const own = await store.executions.get(id);
  return own && asks(own) && own.revision > run.heard ? [own] : [];
}
