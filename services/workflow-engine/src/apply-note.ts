import { SECOND_MICROS } from '@switchyard/base';
import { actionOfKey, requestKeyOf, type ActionOfTask } from '@switchyard/executions';
import { isTerminal, type ExecutionRecord, type Status } from '@switchyard/model';
import { ConductorError } from '@switchyard/workflow';
import type { Engine } from './engine';
import type { Note } from './note';
import { call, type Run } from './run';
import { userOf } from './user-of';
import { isUnheard, WISHES } from './wishes';

/** Statuses of an action that its workflow wants to know; those of the others change nothing for it. */
const REPORTED: readonly Status[] = ['running', 'pending', 'paused'];

/** Tells the conductor what has happened. Nothing else is changed. */
export async function applyNote(engine: Engine, run: Run, note: Note): Promise<void> {
  if ('child' in note) await applyChild(engine, run, note.child);
  else if ('own' in note) await applyWish(engine, run, note.own);
  else if ('unplaced' in note) {
    const result = { errors: [{ type: 'error', message: note.error, task_id: note.unplaced.task }] };
    await report(engine, run, note.unplaced, 'failed', result);
  } else if ('alarm' in note) await applyAlarm(engine, run);
}

async function applyChild(engine: Engine, run: Run, child: ExecutionRecord): Promise<void> {
  const action = actionOfKey(child.request_key ?? '');
  if (action === undefined || !run.history.order(action)) return;
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

/** Whoever answers a question, or lets an inner workflow go on, lets the one around it go on. */
async function goOn(engine: Engine, run: Run, { task, route }: ActionOfTask): Promise<void> {
  // A wish to pause that has come meanwhile is younger than what they have answered or let go on.
  if (isUnheard(run)) return;
  const rested = run.conductor.statusOf(task, route);
  if (rested !== 'paused' && rested !== 'pending') return;
  if (run.conductor.status !== 'paused' && run.conductor.status !== 'pausing') return;
  await call(engine, run, (options) => run.conductor.requestStatus('resuming', options));
}

function report(engine: Engine, run: Run, action: ActionOfTask, status: Status, result?: unknown): Promise<void> {
  const { task, route, round, attempt, item } = action;
  const event = { task, route, round, attempt, status, ...(result === undefined ? {} : { result }) };
  return call(engine, run, (options) =>
    item === undefined ? run.conductor.taskEvent(event, options) : run.conductor.itemEvent({ ...event, item }, options),
  );
}

/** What a user wants is passed on once: asking twice to cancel would leave out what has to be undone. */
async function applyWish(engine: Engine, run: Run, own: ExecutionRecord): Promise<void> {
  if (own.revision >= run.execution.revision) run.execution = own;
  const wish = WISHES[own.status];
  if (wish === undefined || own.revision <= run.heard || run.conductor.isCompleted) return;
  try {
    await call(engine, run, (options) => run.conductor.requestStatus(wish, options));
  } catch (error) {
    // The run has come to rest, gone on or begun to end by itself while the wish was on its way.
    if (!(error instanceof ConductorError)) throw error;
  }
  run.heard = own.revision;
}

/** Ends what has taken too long: the run itself, and single actions. */
async function applyAlarm(engine: Engine, run: Run): Promise<void> {
  const now = engine.clock.nowMicros();
  await call(engine, run, (options) => run.conductor.expire(now / 1000, options));
  for (const { order, at } of [...run.history.timed]) {
    if (order.timeout === undefined || now < at + order.timeout * SECOND_MICROS) continue;
    const child = await engine.store.executions.byRequestKey(requestKeyOf(run.record._id, order));
    if (child && isTerminal(child.status)) continue;
    const error = `Action failed to complete in ${order.timeout} seconds`;
    await report(engine, run, order, 'timeout', { failed: true, succeeded: false, error });
    run.history.forget(order);
    if (child) await engine.executions.cancel(child._id, userOf(run.execution));
  }
}
