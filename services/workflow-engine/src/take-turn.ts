import type { ExecutionRecord } from '@switchyard/model';
import { applyRunEvent, applyRunEvents } from './apply-run-event';
import { applyControl, controlsAmong, controlsMeanwhile } from './control';
import type { Engine } from './engine';
import { catchUp } from './restore';
import { LostRun, type RunEvent, type WorkflowRun } from './run';
import { outputOf } from './run-result';
import { nextSubmissions, submitAll, type Submission } from './submissions';
import { syncExecution } from './sync-execution';

/**
 * One turn of a run: apply events, decide, append the decisions to the journal, and only then act.
 *
 * 1. Appending a step is a compare-and-set: of two processes with the same state, only one succeeds.
 * 2. Each action command has a request key, so that submitting it again after a crash does not run it twice.
 * 3. The sender of an event learns of the end of the turn, and settles its `due` mark then. So a turn takes one step, or two after a
 *    control request: a long list must not keep the senders waiting until all of its items are requested.
 * @returns whether the run has more to request, and needs another turn without waiting for an event
 */
export async function takeTurn(engine: Engine, run: WorkflowRun, events: readonly RunEvent[]): Promise<boolean> {
  const controls = [...(await controlsAmong(engine, run, events))];
  for (const own of controls) await applyRunEvent(engine, run, { own });
  const others = events.filter((event) => !('own' in event));
  await applyRunEvents(engine, run, others);
  if (events.some((event) => 'look' in event)) await applyRunEvents(engine, run, await catchUp(engine, run));
  const isLong = events.some((event) => 'more' in event);
  for (const own of await controlsMeanwhile(engine, run, isLong)) {
    await applyRunEvent(engine, run, { own });
    controls.push(own);
  }
  let more = await takeStep(engine, run);
  const requested = controls.at(-1);
  if (requested && requested.revision > run.passedOn) {
    for await (const ended of applyControl(engine, run, requested.status)) await learn(engine, run, ended);
    run.passedOn = requested.revision;
    more = await takeStep(engine, run);
  }
  await syncExecution(engine, run);
  return more;
}

/** Decides, records and requests what comes next. @returns whether there is more */
async function takeStep(engine: Engine, run: WorkflowRun): Promise<boolean> {
  const { submissions, more } = await nextSubmissions(engine, run);
  if (run.conductor.isCompleted) await outputOf(engine, run);
  await write(engine, run, submissions);
  await submitAll(submissions);
  return more;
}

/** Applies the end of actions that the run itself has canceled, and records it. */
async function learn(engine: Engine, run: WorkflowRun, ended: readonly ExecutionRecord[]): Promise<void> {
  await applyRunEvents(
    engine,
    run,
    ended.map((child) => ({ child })),
  );
  if (ended.length > 0) await write(engine, run, []);
}

async function write(engine: Engine, run: WorkflowRun, submissions: readonly Submission[]): Promise<void> {
  const changes = run.conductor.takeChanges();
  const { heard, history } = run;
  if (changes === undefined) {
    history.controlRevision = heard;
    // Nothing changed here, but another process may have taken over the run in the meantime.
    if (await engine.store.workflows.hasStep(run.record._id, history.revision + 1)) throw new LostRun(run.record._id);
    return;
  }
  const step = {
    changes,
    ...(submissions.length > 0 ? { commands: submissions.map(({ command }) => command) } : {}),
    ...(heard > history.controlRevision ? { controlRevision: heard } : {}),
  };
  const lines = run.progress.of(run, changes, submissions);
  if (!(await engine.journal.append(run.record._id, history, step))) throw new LostRun(run.record._id);
  // Before the actions are submitted: readers see the request before its effects.
  await run.progress.tell(run, lines);
}

/** Whether the run has ended and has no active tasks. */
export const isOver = ({ conductor }: WorkflowRun): boolean => conductor.isCompleted && !conductor.hasActiveTasks;
