import { ACTIVE, COMPLETED, type Status } from '../machines';
import type { CleanUpState } from '../state/documents';
import type { Entry } from '../state/entries';
import type { Staged } from '../state/staging';
import type { Core } from './core';
import { openEntry } from './open-entry';
import { terminalContext } from './output';
import { currentTask, noteEnd, resultOf } from './results';
import { isRetried, retry } from './retry';

/**
 * Undoing and closing (I9). The body's own status stands; what is seen from outside is the clean-up's status until it is
 * done, and its outcome from then on.
 */
export function visibleStatus({ state }: Core): Status | 'unset' {
  const { cleanUp, status } = state.head;
  if (cleanUp === undefined) return status;
  return cleanUp.step === 'done' ? cleanUp.outcome : cleanUp.status;
}

/** Goes on with the clean-up as far as it goes without anything from outside; to be called after every change. */
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

/** Ends a run as a failure that has ended otherwise, unless it was cancelled. */
export function failAtLast(core: Core): void {
  core.fail();
  const { cleanUp } = core.state.head;
  if (cleanUp !== undefined && cleanUp.outcome !== 'canceled') setCleanUp(core, { outcome: 'failed' });
}

/** The status from outside while tasks of the clean-up run. */
export const ordinaryStatus = (outcome: Status): Status => (outcome === 'canceled' ? 'canceling' : 'running');

function beginCleanUp(core: Core): void {
  const outcome = core.status as Status;
  core.state.setHead({ cleanUp: { step: 'due', outcome, status: ordinaryStatus(outcome), at: 0 } });
}

/** Nothing is active, and nothing that goes along with a failure is waiting to be. */
const isDormant = (core: Core): boolean =>
  ![...core.state.entries.live].some((entry) => isBusy(core, entry)) &&
  !(core.status === 'failed' && [...core.state.staging.ready].some(({ runOnFail }) => runOnFail));

/** In a body that has ended a list of items stops where it is. */
function isBusy({ state, status: body }: Core, { status, items, phase, runOnFail }: Entry): boolean {
  const set = state.items.of(items);
  const goesOn = phase !== 'body' || (runOnFail === true && body === 'failed');
  return ACTIVE.has(status) && (set === undefined || goesOn || set.counts.active > 0);
}

const isOfCleanUp = ({ phase }: Entry | Staged): boolean => phase !== 'body';

const hasTask = ({ state }: Core): boolean =>
  [...state.entries.live].some(isOfCleanUp) || [...state.staging.ready].some(isOfCleanUp);

/** One after the other: what is to be undone, the last first, then the closing tasks. */
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

function stageRollback(core: Core, undone: Entry): void {
  setCleanUp(core, { step: 'rollback' });
  const task = core.spec.tasks.get(undone.task)!.rollback!;
  const { route, context, index: undoes } = undone;
  core.state.staging.add({ ...staging(core, task, route), phase: 'rollback', context, undoes });
}

function staging(core: Core, task: string, route: number) {
  const round = (core.state.entries.latestOf(task, route)?.round ?? 0) + 1;
  return { task, route, round, again: false, prev: {}, ready: true, runOnFail: false };
}

/** What follows from an event of a task of the clean-up. */
export function completeCleanUp(core: Core, entry: Entry, given: unknown, hasEnded: boolean): void {
  const { cleanUp } = core.state.head;
  if (cleanUp === undefined) return;
  if (hasEnded) return endTask(core, entry, given);
  const isHeld = entry.status === 'pending' || entry.status === 'paused';
  if (isHeld && cleanUp.status !== 'canceling') setCleanUp(core, { status: 'paused' });
}

function endTask(core: Core, entry: Entry, given: unknown): void {
  const result = resultOf(core, entry, given);
  const around = { variables: core.variablesOf(entry), currentTask: currentTask(entry, result) };
  const { outcome } = core.state.head.cleanUp!;
  if (isRetried(core, entry, around, outcome !== 'canceled')) return retry(core, entry);
  noteEnd(core, entry, result);
  noteOutcome(core, entry);
}

/** A closing task that fails takes the success away. */
function noteOutcome(core: Core, entry: Entry): void {
  const { outcome } = core.state.head.cleanUp!;
  const isFailure = entry.phase === 'finally' && COMPLETED.has(entry.status) && entry.status !== 'succeeded';
  if (isFailure && outcome === 'succeeded') setCleanUp(core, { outcome: 'failed' });
}

/** A task of the clean-up that cannot be rendered counts as having run and failed. */
export function failUnrendered(core: Core, run: Staged | Entry): void {
  const entry = run.kind === 'entry' ? run : (takenUp(core, run) ?? openEntry(core, run));
  core.state.entries.setStatus(entry, 'failed');
  core.state.entries.feed(entry);
  noteEnd(core, entry, null);
  noteOutcome(core, entry);
}

/** The entry that something was staged for. */
function takenUp(core: Core, staged: Staged): Entry | undefined {
  if (!staged.again) return undefined;
  core.state.staging.remove(staged);
  return core.state.entries.find(staged.task, staged.route, staged.round);
}
