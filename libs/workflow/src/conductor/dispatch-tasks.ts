import { HANDING_OUT } from '../machines';
import type { TaskEntry } from '../state/entries';
import type { Staged } from '../state/staging';
import { advanceCleanUp, failUnrendered, visibleStatus } from './clean-up';
import type { Core } from './core';
import { attempt, DefinitionProblem, isProblem } from './definition-values';
import { renderTask, type TaskDispatch } from './render-task';
import { completeTask } from './complete';
import { openEntry } from './entry';

/**
 * What to run now. The only side effects: lists of items are frozen, and a task that cannot be rendered ends the run.
 */
export function dispatchTasks(core: Core): TaskDispatch[] {
  for (let tries = MOST_FAILED_NODES; ; tries--) {
    const { tasks, problems } = rendered(core, candidates(core));
    if (problems.length === 0) return tasks.sort(byTask);
    if (tries > 0 && core.spec.failsUnrendered !== true && problems.every((each) => leadOn(core, each))) continue;
    giveUp(core, problems);
    if (core.state.head.cleanUp === undefined) return [];
  }
}

/** A chain with this many unrenderable nodes in a row is taken to be a cycle. */
const MOST_FAILED_NODES = 100;

/** Ends the run because dispatched tasks cannot be started, as if they could not be rendered. */
export function refuseTasks(core: Core, refusals: readonly Refusal[]): void {
  const problems = refusals.flatMap(({ task, route, message, isFinal }) => {
    const run = core.state.staging.of(task, route) ?? core.state.entries.latestOf(task, route);
    return run === undefined || (isFinal !== true && leadOn(core, { run, problem: message }))
      ? []
      : [{ run, problem: message }];
  });
  if (problems.length > 0) giveUp(core, problems);
}

/** A dispatched task that cannot be started, with the reason. */
export interface Refusal {
  readonly task: string;
  readonly route: number;
  readonly message: string;
  /** Whether no transition may handle it. */
  readonly isFinal?: boolean;
}

function giveUp(core: Core, problems: Rendering['problems']): void {
  for (const { run, problem } of problems) core.logError(problem, { task_id: run.task, route: run.route });
  for (const { run } of problems) {
    if (run.phase !== 'body') failUnrendered(core, run);
    else if (run.kind === 'staged') core.state.staging.patch(run, { runOnFail: false, isEnd: true });
    else core.state.entries.patch(run, { terminal: true });
  }
  if (problems.some(({ run }) => run.phase === 'body')) core.fail();
  advanceCleanUp(core);
}

interface Rendering {
  readonly tasks: TaskDispatch[];
  readonly problems: { readonly run: Staged | TaskEntry; readonly problem: string }[];
}

/** Renders all of them, to report all errors at once. */
function rendered(core: Core, runs: readonly (Staged | TaskEntry)[]): Rendering {
  const outcome: Rendering = { tasks: [], problems: [] };
  let room = core.limits.entries - core.state.entries.all.length;
  for (const run of runs) {
    if (isNew(run)) room -= 1;
    const task = attempt(() => (isNew(run) && room < 0 ? refuseMore(core) : renderTask(core, run)));
    if (isProblem(task)) outcome.problems.push({ run, problem: task.problem });
    else if (task.value !== undefined) outcome.tasks.push(task.value);
  }
  return outcome;
}

/** Retries and clean-up tasks are not limited: they cannot outnumber the tasks run before. */
const isNew = (run: Staged | TaskEntry): boolean => run.kind === 'staged' && !run.again && run.phase === 'body';

function refuseMore({ limits }: Core): never {
  throw new DefinitionProblem('LimitExceeded', `The workflow may not run more than ${limits.entries} tasks.`);
}

function candidates(core: Core): (Staged | TaskEntry)[] {
  const { state, status } = core;
  const visible = visibleStatus(core);
  const isGoingOn = HANDING_OUT.has(visible) || (state.head.cleanUp !== undefined && visible === 'canceling');
  const runs = [...state.staging.ready, ...state.entries.feeding];
  if (!core.isCompleted) return isGoingOn ? runs : [];
  const isDue = state.head.cleanUp === undefined || isGoingOn;
  return runs.filter(({ phase, runOnFail }) =>
    phase === 'body' ? isDue && status === 'failed' && runOnFail === true : isGoingOn,
  );
}

/** The order of the result depends on names only (I4). */
const byTask = (a: TaskDispatch, b: TaskDispatch): number =>
  a.task === b.task ? a.route - b.route || a.round - b.round : a.task < b.task ? -1 : 1;

/**
 * In a chain, a node that cannot be started counts as failed if its failure has a successor.
 * @returns false if it has none: then the run has failed
 */
function leadOn(core: Core, { run, problem }: { run: Staged | TaskEntry; problem: string }): boolean {
  if (core.spec.dialect !== 'chain' || run.kind !== 'staged' || !hasSuccessor(core, run)) return false;
  const { task, route } = run;
  const result = { error: problem };
  core.logError(problem, { task_id: task, route, result });
  const entry = openEntry(core, run);
  core.state.entries.setStatus(entry, 'failed');
  completeTask(core, entry, result, true);
  return true;
}

/** The second transition of a node is for its failure. */
const hasSuccessor = (core: Core, { task }: Staged): boolean =>
  core.spec.tasks.get(task)?.next[1]?.do.includes('continue') === false;
