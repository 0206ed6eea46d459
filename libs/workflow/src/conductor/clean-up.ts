import { ACTIVE, COMPLETED, type WorkflowStatus } from '../machines';
import type { CleanUpState } from '../state/documents';
import type { TaskEntry } from '../state/entries';
import type { Staged } from '../state/staging';
import type { Core } from './core';
import { openEntry, currentTask, noteEnd, taskResult } from './entry';
import { terminalContext } from './output';
import { isRetried, retry } from './retry';

/**
 * Rollback and closing tasks (I9). The status of the body stays as it is; the visible status is that of the clean-up
 * until it is done, then its outcome.
 */
export function visibleStatus({ state }: Core): WorkflowStatus | 'unset' {
  const { cleanUp, status } = state.head;
  if (cleanUp === undefined) return status;
  return cleanUp.step === 'done' ? cleanUp.outcome : cleanUp.status;
}

/** Advances the clean-up as far as possible without further events. Call after every change. */
export function advanceCleanUp(core: Core): void {
  if (!core.hasCleanUp || !core.isCompleted) return;
  const { head } = core.state;
  if (head.cleanUp === undefined) beginCleanUp(core);
  if (head.cleanUp?.step === 'due' && !isDormant(core)) return;
  if (head.cleanUp?.status === 'pausing' && isDormant(core)) setCleanUp(core, { status: 'paused' });
  if (head.cleanUp?.status !== 'paused' && !hasTask(core)) stageNext(core);
}

export function setCleanUp(core: Core, changes: Partial<CleanUpState>): void {
  core.state.setHead({ cleanUp: { ...core.state.head.cleanUp!, ...changes } });
}

/** Turns an ended run into a failure, unless it was canceled. */
export function failAtLast(core: Core): void {
  core.fail();
  const { cleanUp } = core.state.head;
  if (cleanUp !== undefined && cleanUp.outcome !== 'canceled') setCleanUp(core, { outcome: 'failed' });
}

/** The visible status while clean-up tasks run. */
export const ordinaryStatus = (outcome: WorkflowStatus): WorkflowStatus =>
  outcome === 'canceled' ? 'canceling' : 'running';

function beginCleanUp(core: Core): void {
  const outcome = core.status as WorkflowStatus;
  core.state.setHead({ cleanUp: { step: 'due', outcome, status: ordinaryStatus(outcome), at: 0 } });
}

/** Whether nothing is active, and no task that runs despite a failure is staged. */
const isDormant = (core: Core): boolean =>
  ![...core.state.entries.live].some((entry) => isBusy(core, entry)) &&
  !(core.status === 'failed' && [...core.state.staging.ready].some(({ runOnFail }) => runOnFail));

/** Once the body has ended, a list of items starts no more items. */
function isBusy({ state, status: body }: Core, { status, items, phase, runOnFail }: TaskEntry): boolean {
  const set = state.items.of(items);
  const goesOn = phase !== 'body' || (runOnFail === true && body === 'failed');
  return ACTIVE.has(status) && (set === undefined || goesOn || set.counts.active > 0);
}

const isOfCleanUp = ({ phase }: TaskEntry | Staged): boolean => phase !== 'body';

const hasTask = ({ state }: Core): boolean =>
  [...state.entries.live].some(isOfCleanUp) || [...state.staging.ready].some(isOfCleanUp);

/** Stages one task at a time: first the rollbacks, latest first, then the closing tasks. */
function stageNext(core: Core): void {
  const { outcome, at, step } = core.state.head.cleanUp!;
  if (step === 'done') return;
  const undone = outcome === 'succeeded' || step === 'finally' ? undefined : core.state.entries.takeUndoable();
  if (undone !== undefined) return stageRollback(core, undone);
  const task = core.spec.finally[at];
  if (task === undefined) return setCleanUp(core, { step: 'done' });
  const context = core.state.head.cleanUp!.context ?? terminalContext(core);
  setCleanUp(core, { step: 'finally', at: at + 1, context });
  core.state.staging.add({ ...staging(core, task, 0), phase: 'finally', context });
}

function stageRollback(core: Core, undone: TaskEntry): void {
  setCleanUp(core, { step: 'rollback' });
  const task = core.spec.tasks.get(undone.task)!.rollback!;
  const { route, context, index: undoes } = undone;
  core.state.staging.add({ ...staging(core, task, route), phase: 'rollback', context, undoes });
}

function staging(core: Core, task: string, route: number) {
  const round = (core.state.entries.latestOf(task, route)?.round ?? 0) + 1;
  return { task, route, round, again: false, prev: {}, ready: true, runOnFail: false };
}

/** Handles an event of a clean-up task. */
export function completeCleanUp(core: Core, entry: TaskEntry, given: unknown, hasEnded: boolean): void {
  const { cleanUp } = core.state.head;
  if (cleanUp === undefined) return;
  if (hasEnded) return endTask(core, entry, given);
  const isHeld = entry.status === 'pending' || entry.status === 'paused';
  if (isHeld && cleanUp.status !== 'canceling') setCleanUp(core, { status: 'paused' });
}

function endTask(core: Core, entry: TaskEntry, given: unknown): void {
  const result = taskResult(core, entry, given);
  const around = { variables: core.variablesOf(entry), currentTask: currentTask(entry, result) };
  const { outcome } = core.state.head.cleanUp!;
  if (isRetried(core, entry, around, outcome !== 'canceled')) return retry(core, entry);
  noteEnd(core, entry, result);
  noteOutcome(core, entry);
}

/** A failed closing task fails the run. */
function noteOutcome(core: Core, entry: TaskEntry): void {
  const { outcome } = core.state.head.cleanUp!;
  const isFailure = entry.phase === 'finally' && COMPLETED.has(entry.status) && entry.status !== 'succeeded';
  if (isFailure && outcome === 'succeeded') setCleanUp(core, { outcome: 'failed' });
}

/** A clean-up task that cannot be rendered counts as failed. */
export function failUnrendered(core: Core, run: Staged | TaskEntry): void {
  const entry = run.kind === 'entry' ? run : (takenUp(core, run) ?? openEntry(core, run));
  core.state.entries.setStatus(entry, 'failed');
  core.state.entries.feed(entry);
  noteEnd(core, entry, null);
  noteOutcome(core, entry);
}

/** Takes a staged retry or rerun off the frontier and returns its entry; undefined for a task without an entry. */
function takenUp(core: Core, staged: Staged): TaskEntry | undefined {
  if (!staged.again) return undefined;
  core.state.staging.remove(staged);
  return core.state.entries.find(staged.task, staged.route, staged.round);
}
