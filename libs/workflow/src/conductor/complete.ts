import { ABENDED, afterCommand, afterTask, COMPLETED, type EngineCommandEvent } from '../machines';
import type { TaskEntry } from '../state/entries';
import { reportUnreachableJoins } from './joins';
import { completeCleanUp } from './clean-up';
import type { Core } from './core';
import type { Surroundings } from './evaluator';
import { holdIdle } from './requests';
import { openEntry, currentTask, noteEnd, taskResult } from './entry';
import { isRetried, retry } from './retry';
import { fireTransitions, type Basis, type Command } from './transitions';

/**
 * Handles the consequences of an event: the retry or the transitions of a task that has just ended, the workflow's
 * status, the engine commands reached.
 */
export function completeTask(core: Core, entry: TaskEntry, given: unknown, hasEnded: boolean): void {
  if (entry.phase !== 'body') return completeCleanUp(core, entry, given, hasEnded);
  const commands = hasEnded ? end(core, entry, taskResult(core, entry, given)) : [];
  moveWorkflow(core, entry);
  for (const command of commands) runCommand(core, command);
  if (core.isCompleted || hasPausedAtEnd(core)) core.state.entries.patch(entry, { terminal: true });
}

/** Whether nothing is left to do, so that the paused workflow ends when it is resumed. */
const hasPausedAtEnd = ({ status, counts }: Core): boolean =>
  status === 'paused' && counts.active === 0 && counts.pausedLike === 0 && counts.ready === 0;

function end(core: Core, entry: TaskEntry, result: unknown): Command[] {
  const around = { variables: core.variablesOf(entry), currentTask: currentTask(entry, result) };
  if (isRetried(core, entry, around)) {
    retry(core, entry);
    return [];
  }
  const commands = fireTransitions(core, entry, basisOf(core, entry, around, result));
  noteEnd(core, entry, result);
  return commands;
}

/** Adds the task's result as a variable if the definition names it. */
function basisOf(core: Core, { task, context }: TaskEntry, around: Surroundings, result: unknown): Basis {
  const name = core.spec.tasks.get(task)?.resultAs;
  if (name === undefined) return { around, context };
  const { contexts } = core.state;
  const named = contexts.publish(context, { [name]: result });
  return { around: { ...around, variables: contexts.resolve(named) }, context: named };
}

/** Updates the workflow's status from the task's. */
export function moveWorkflow(core: Core, entry: TaskEntry): void {
  if (entry.status === null) return;
  const status = ABENDED.has(entry.status) && isRemediated(core, entry) ? 'remediated' : entry.status;
  const before = core.status;
  const next = afterTask(before, status, core.counts);
  if (next !== undefined && next !== before) core.setStatus(next);
  const now = core.status;
  if (now === 'pausing' || now === 'canceling') {
    const among = now === before ? [entry] : core.state.entries.live;
    for (const held of holdIdle(core, now, among)) moveWorkflow(core, held);
  }
  if (next !== undefined && COMPLETED.has(next) && next !== 'canceled') reportUnreachableJoins(core);
}

/** A failure handled by a transition to anything but `continue` does not fail the workflow. */
const isRemediated = (core: Core, entry: TaskEntry): boolean =>
  core.graph.tasks.get(entry.task)!.next.some(({ id, to }) => to !== 'continue' && entry.next[id] === true);

function runCommand(core: Core, { task, route }: Command): void {
  const staged = core.state.staging.of(task, route);
  if (staged === undefined) return;
  const entry = openEntry(core, staged);
  core.state.entries.setStatus(entry, afterCommand('unset', task as EngineCommandEvent)!);
  if (task === 'fail') core.logError('Execution failed. See result for details.', { task_id: task });
  completeTask(core, entry, null, true);
}
