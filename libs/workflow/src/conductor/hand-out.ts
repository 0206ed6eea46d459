import { HANDING_OUT } from '../machines';
import type { Entry } from '../state/entries';
import type { Staged } from '../state/staging';
import { advanceCleanUp, failUnrendered, visibleStatus } from './clean-up';
import type { Core } from './core';
import { leadOn } from './lead-on';
import { attempt, DefinitionProblem, isProblem } from './problem';
import { renderTask, type HandOut } from './render-task';

/**
 * What to run now. Asking changes nothing but that lists of items are frozen, and that a task which cannot be rendered ends
 * the run.
 */
export function handOut(core: Core): HandOut[] {
  for (let tries = MOST_FAILED_NODES; ; tries--) {
    const { tasks, problems } = rendered(core, candidates(core));
    if (problems.length === 0) return tasks.sort(byTask);
    if (tries > 0 && core.spec.failsUnrendered !== true && problems.every((each) => leadOn(core, each))) continue;
    giveUp(core, problems);
    if (core.state.head.cleanUp === undefined) return [];
  }
}

/** A chain in which so many nodes in a row cannot be rendered goes round in a circle. */
const MOST_FAILED_NODES = 100;

/** Ends the run because what was handed out cannot be started, in the same way as when it cannot be rendered. */
export function refuse(core: Core, refusals: readonly Refusal[]): void {
  const problems = refusals.flatMap(({ task, route, message, isFinal }) => {
    const run = core.state.staging.of(task, route) ?? core.state.entries.latestOf(task, route);
    return run === undefined || (isFinal !== true && leadOn(core, { run, problem: message }))
      ? []
      : [{ run, problem: message }];
  });
  if (problems.length > 0) giveUp(core, problems);
}

/** A task that was handed out and cannot be started, with what keeps it from starting. */
export interface Refusal {
  readonly task: string;
  readonly route: number;
  readonly message: string;
  /** Nothing takes care of it. */
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
  readonly tasks: HandOut[];
  readonly problems: { readonly run: Staged | Entry; readonly problem: string }[];
}

/** All of them are tried, so that everything that is wrong shows at once. */
function rendered(core: Core, runs: readonly (Staged | Entry)[]): Rendering {
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

/** Retries, and what undoes or closes, are not limited: there is no more of it than of what was run before. */
const isNew = (run: Staged | Entry): boolean => run.kind === 'staged' && !run.again && run.phase === 'body';

function refuseMore({ limits }: Core): never {
  throw new DefinitionProblem('LimitExceeded', `The workflow may not run more than ${limits.entries} tasks.`);
}

function candidates(core: Core): (Staged | Entry)[] {
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

/** The order of the answer depends on names alone (I4). */
const byTask = (a: HandOut, b: HandOut): number =>
  a.task === b.task ? a.route - b.route || a.round - b.round : a.task < b.task ? -1 : 1;
