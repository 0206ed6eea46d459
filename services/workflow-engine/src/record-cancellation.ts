import { isTerminal, type ExecutionRecord, type WorkflowRecord } from '@switchyard/model';
import { requestKeyOf, type ActionOfTask } from '@switchyard/workflow-runs';
import { restore } from './restore';
import { call, type Engine, type WorkflowRun } from './run';
import { outputOf } from './run-result';

/**
 * Adds the cancellation to the journal of a run that has ended together with its tree (`endIdle`), so that tasks of it can run again. Does
 * nothing for other runs. If two processes do it at the same time, the step of the first counts.
 */
export async function recordCancellation(engine: Engine, record: WorkflowRecord): Promise<void> {
  if (record.open) return;
  const run = await restore(engine, record);
  if (!run || run.conductor.isCompleted || run.execution.status !== 'canceled') return;
  await call(engine, run, (options) => run.conductor.requestStatus('canceled', options));
  const ended = await endedActions(engine, run);
  for (const action of [...run.conductor.underway]) {
    await reportEnd(engine, run, action, ended.get(requestKeyOf(record._id, action)));
    await engine.slice.next();
  }
  await outputOf(engine, run);
  const changes = run.conductor.takeChanges();
  if (changes) await engine.journal.append(record._id, run.history, { changes });
}

/** The executions of the run that have ended, by request key. */
async function endedActions(
  { executions: { records } }: Engine,
  { record }: WorkflowRun,
): Promise<ReadonlyMap<string, ExecutionRecord>> {
  const ended = new Map<string, ExecutionRecord>();
  for await (const child of records.eachOfWorkflow(record._id))
    if (child.request_key !== undefined && isTerminal(child.status)) ended.set(child.request_key, child);
  return ended;
}

/** @param child absent if the action was never requested */
async function reportEnd(
  engine: Engine,
  run: WorkflowRun,
  { task, route, round, attempt, item }: ActionOfTask,
  child: ExecutionRecord | undefined,
): Promise<void> {
  const result = (child && (await engine.executions.results.load(child, true))) ?? {};
  const event = { task, route, round, attempt, status: child?.status ?? 'canceled', result };
  await call(engine, run, (options) =>
    item === undefined ? run.conductor.taskEvent(event, options) : run.conductor.itemEvent({ ...event, item }, options),
  );
}
