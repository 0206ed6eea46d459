import { SECOND_MICROS } from '@switchyard/base';
import { type ExecutionRecord, isTerminal, type Status } from '@switchyard/model';
import { ConductorError, type EntryDocument, type ItemEvent } from '@switchyard/workflow';
import { actionOfKey, requestKeyOf, taskIdOf, type ActionOfTask } from '@switchyard/workflow-runs';
import { controlsAmong, controlsMeanwhile, CONTROL_STATUSES, hasPendingControl } from './control';
import { passOnControl } from './pass-on-control';
import { type Engine, userOf, LostRun, type RunEvent, type WorkflowRun, call } from './run';
import { catchUp } from './restore';
import { outputOf } from './run-result';
import { nextSubmissions, submitAll, type Submission } from './submissions';
import { endedIn, syncExecution } from './sync-execution';

/**
 * One turn of a run: apply events, decide, append the decisions to the journal, and only then act.
 *
 * 1. Appending a step is a compare-and-set: of two processes with the same state, only one succeeds.
 * 2. Each action command has a request key, so that submitting it again after a crash does not run it twice.
 * 3. The sender of an event is notified of the end of the turn, and then settles its `due` mark. So a turn takes one
 *    step, or two after a control request: a long list must not keep the senders waiting until all of its items are
 *    requested.
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
  const requested = controls.at(-1);
  // A run that begins has an event of its own execution, too.
  const isNews =
    requested !== undefined && CONTROL_STATUSES[requested.status] !== undefined && requested.revision > run.passedOn;
  // Clean-up tasks start after the cancellation has reached the others.
  let more = isNews && requested.status === 'canceling' ? false : await takeStep(engine, run);
  if (isNews) {
    for await (const ended of passOnControl(engine, run, requested.status)) await learn(engine, run, ended);
    run.passedOn = requested.revision;
    more = await takeStep(engine, run);
  }
  await syncExecution(
    engine,
    run,
    events.some((event) => 'own' in event && event.parentHears === true),
  );
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

/** With fewer, their ends are recorded with the step that follows. */
const RECORDED_AT_ONCE = 50;

/** Applies the end of actions that the run itself has canceled, and records it if there are many. */
async function learn(engine: Engine, run: WorkflowRun, ended: readonly ExecutionRecord[]): Promise<void> {
  await applyRunEvents(
    engine,
    run,
    ended.map((child) => ({ child })),
  );
  if (ended.length >= RECORDED_AT_ONCE) await write(engine, run, []);
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
  const ended = engine.executions.spans.recorder.isOn ? endedIn(run, changes) : [];
  if (!(await engine.journal.append(run.record._id, history, step))) throw new LostRun(run.record._id);
  recordTaskSpans(engine, run, ended);
  run.progress.tell(run, lines);
}

/** Records the spans of tasks for OpenTelemetry, after their ends have been written to the journal. */
function recordTaskSpans({ executions }: Engine, run: WorkflowRun, ended: readonly EntryDocument[]): void {
  for (const { key, task, route, round, status } of ended) {
    const { start, end } = run.history.times.get(key) ?? {};
    if (start === undefined || end === undefined) continue;
    const id = taskIdOf(run.record._id, { task, route, round });
    executions.spans.taskEnded(run.execution, { id, name: task, status: String(status), start, end });
  }
}

/** Whether the run has ended and has no active tasks. */
export const isOver = ({ conductor }: WorkflowRun): boolean => conductor.isCompleted && !conductor.hasActiveTasks;

/** Statuses of an action that the conductor needs to know. It ignores the others. */
const REPORTED: readonly Status[] = ['running', 'pending', 'paused'];

/** Ends of items that the conductor gets with one call. */
const ITEMS_AT_ONCE = 50;

/** Applies events in order. The ends of items of one list are reported together. */
async function applyRunEvents(engine: Engine, run: WorkflowRun, events: readonly RunEvent[]): Promise<void> {
  let ends: ItemEnd[] = [];
  for (const event of events) {
    const end = itemEndOf(run, event);
    if (ends.length >= ITEMS_AT_ONCE || !end || !isSameList(ends[0] ?? end, end)) {
      await reportEnds(engine, run, ends);
      ends = [];
      await engine.slice.next();
    }
    if (end) ends.push(end);
    else await applyRunEvent(engine, run, event);
  }
  await reportEnds(engine, run, ends);
}

/** The end of the action of an item. */
interface ItemEnd {
  readonly action: ActionOfTask & { readonly item: number };
  readonly child: ExecutionRecord;
}

function itemEndOf({ history }: WorkflowRun, event: RunEvent): ItemEnd | undefined {
  if (!('child' in event) || !isTerminal(event.child.status)) return undefined;
  const action = actionOfKey(event.child.request_key ?? '');
  if (action?.item === undefined || !history.command(action)) return undefined;
  return { action: { ...action, item: action.item }, child: event.child };
}

/** Only one event of a list ends its task, so the expressions of one task share a call. */
const isSameList = ({ action: a }: ItemEnd, { action: b }: ItemEnd): boolean =>
  a.task === b.task && a.route === b.route && a.round === b.round && a.attempt === b.attempt;

async function reportEnds(engine: Engine, run: WorkflowRun, ends: readonly ItemEnd[]): Promise<void> {
  const [first] = ends;
  if (!first) return;
  await goOn(engine, run, first.action);
  const load = loaderOf(engine);
  const events: ItemEvent[] = [];
  for (const { action, child } of ends)
    events.push({ ...action, status: child.status, result: (await load(child)) ?? {} });
  await call(engine, run, (options) => run.conductor.itemEvents(events, options));
  for (const { action } of ends) run.history.forget(action);
}

type LoadResult = (child: ExecutionRecord) => Promise<Record<string, unknown> | undefined>;

/** Parses a result once that many executions have: those that were canceled together. */
function loaderOf({ executions: { results } }: Engine): LoadResult {
  let last: { readonly text: string; readonly result: ReturnType<LoadResult> } | undefined;
  return (child) => {
    const { result: text, sealed_result: sealed } = child;
    if (text === undefined || sealed !== undefined) return results.load(child, true);
    if (last?.text !== text) last = { text, result: results.load(child, true) };
    return last.result;
  };
}

/** Applies one event to the conductor. Nothing else is changed. */
async function applyRunEvent(engine: Engine, run: WorkflowRun, event: RunEvent): Promise<void> {
  if ('child' in event) await applyChild(engine, run, event.child);
  else if ('own' in event) await applyControlRequest(engine, run, event.own);
  else if ('refused' in event) {
    const result = { errors: [{ type: 'error', message: event.error, task_id: event.refused.task }] };
    await report(engine, run, event.refused, 'failed', result);
  } else if ('alarm' in event) await applyAlarm(engine, run);
}

async function applyChild(engine: Engine, run: WorkflowRun, child: ExecutionRecord): Promise<void> {
  const action = actionOfKey(child.request_key ?? '');
  if (action === undefined || !run.history.command(action)) return;
  if (isTerminal(child.status)) {
    await goOn(engine, run, action);
    const result = (await engine.executions.results.load(child, true)) ?? {};
    await report(engine, run, action, child.status, result);
    run.history.forget(action);
  } else if (REPORTED.includes(child.status)) {
    if (child.status === 'running') await goOn(engine, run, action);
    await report(engine, run, action, child.status);
  }
}

/** Answering an inquiry or resuming an inner workflow resumes the outer workflow. */
async function goOn(engine: Engine, run: WorkflowRun, { task, route }: ActionOfTask): Promise<void> {
  // A pause that was requested in the meantime is newer than the answer or the resume.
  if (hasPendingControl(run)) return;
  const rested = run.conductor.statusOf(task, route);
  if (rested !== 'paused' && rested !== 'pending') return;
  if (run.conductor.status !== 'paused' && run.conductor.status !== 'pausing') return;
  await call(engine, run, (options) => run.conductor.requestStatus('resuming', options));
  run.goesOn = true;
}

function report(
  engine: Engine,
  run: WorkflowRun,
  action: ActionOfTask,
  status: Status,
  result?: unknown,
): Promise<void> {
  const { task, route, round, attempt, item } = action;
  const event = { task, route, round, attempt, status, ...(result === undefined ? {} : { result }) };
  return call(engine, run, (options) =>
    item === undefined ? run.conductor.taskEvent(event, options) : run.conductor.itemEvent({ ...event, item }, options),
  );
}

/** Each control request is applied once: a second cancel would skip the clean-up. */
async function applyControlRequest(engine: Engine, run: WorkflowRun, own: ExecutionRecord): Promise<void> {
  if (own.revision >= run.execution.revision) run.execution = own;
  const control = CONTROL_STATUSES[own.status];
  if (control === undefined || own.revision <= run.heard || run.conductor.isCompleted) return;
  try {
    await call(engine, run, (options) => run.conductor.requestStatus(control, options));
  } catch (error) {
    // The run paused, resumed or started to end by itself before the request arrived.
    if (!(error instanceof ConductorError)) throw error;
  }
  run.heard = own.revision;
}

/** Applies timeouts of the run itself and of single actions. */
async function applyAlarm(engine: Engine, run: WorkflowRun): Promise<void> {
  const now = engine.clock.nowMicros();
  await call(engine, run, (options) => run.conductor.expire(now / 1000, options));
  for (const { command, at } of [...run.history.timed]) {
    if (command.timeout === undefined || now < at + command.timeout * SECOND_MICROS) continue;
    const child = await engine.executions.records.byRequestKey(requestKeyOf(run.record._id, command));
    if (child && isTerminal(child.status)) continue;
    const error = `Action failed to complete in ${command.timeout} seconds`;
    await report(engine, run, command, 'timeout', { failed: true, succeeded: false, error });
    run.history.forget(command);
    if (child) await engine.executions.cancel(child._id, userOf(run.execution));
  }
}
