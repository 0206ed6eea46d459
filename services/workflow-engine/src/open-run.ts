import { hostname } from 'node:os';
import { fault, isPlainObject, messageOf, type Id } from '@switchyard/base';
import type { TransitionOptions } from '@switchyard/executions';
import {
  isTerminal,
  type DefinitionRecord,
  type ExecutionRecord,
  type Status,
  type WorkflowRecord,
} from '@switchyard/model';
import { ConductorError, type TaskRerun } from '@switchyard/workflow';
import { workflowIdOf } from '@switchyard/workflow-runs';
import { beginRun, NotBegun } from './begin-run';
import { isCanceledBefore } from './control';
import { recordCancellation } from './record-cancellation';
import { type Engine, call, type RunEvent, type WorkflowRun } from './run';
import { restore } from './restore';

const HOST = hostname();

/** A run for a turn, and where it comes from. */
export interface OpenedRun {
  readonly run: WorkflowRun;
  readonly from: 'memory' | 'journal' | 'execution';
}

/** Restores a run from its journal, or begins the run of an execution. */
export async function openRun(
  engine: Engine,
  workflow: Id,
  events: readonly RunEvent[],
): Promise<OpenedRun | undefined> {
  const known = events.flatMap(({ run }) => run ?? []).at(-1);
  const record = isNew(events) ? undefined : (known ?? (await engine.store.workflows.get(workflow)));
  const own = events.flatMap((event) => ('own' in event ? [event.own] : [])).at(-1);
  const restored = record?.open ? await restore(engine, record, known && own) : undefined;
  if (restored) return { run: restored, from: 'journal' };
  const begun = own && (await takeUp(engine, own, record?.open === true));
  return begun && { run: begun, from: 'execution' };
}

/** A new execution has no steps yet. One that reruns tasks opens its run itself. */
const isNew = (events: readonly RunEvent[]): boolean =>
  events.every((event) => 'own' in event && event.own.status === 'scheduled');

/** The id of the run that an execution shows or is about to start. */
export async function workflowOf({ executions }: Pick<Engine, 'executions'>, execution: ExecutionRecord): Promise<Id> {
  const { workflow_execution: known } = execution.context;
  if (typeof known === 'string') return known;
  const again = rerunOf(execution);
  const before = again && (await executions.records.get(again.ref))?.context['workflow_execution'];
  return typeof before === 'string' ? before : workflowIdOf(execution._id);
}

const STARTING: readonly Status[] = ['scheduled', 'running'];
/** What may be requested of an execution that is running. */
const ASKED: readonly Status[] = ['pausing', 'resuming', 'canceling'];

/**
 * Starts or reopens the run of an execution that was handed to the engines. The execution is `running` afterwards, or has failed.
 * @param isOpen whether its run is there and has not ended. If an engine died or failed before the first step of the run, the execution may
 *   have been asked to pause or cancel since; then the run starts as well, and handles the request like any other
 * @returns undefined when there is nothing to run
 */
async function takeUp(engine: Engine, execution: ExecutionRecord, isOpen: boolean): Promise<WorkflowRun | undefined> {
  const { status } = execution;
  if (!STARTING.includes(status) && !(isOpen && ASKED.includes(status))) return undefined;
  if (await isCanceledBefore(engine, execution)) return undefined;
  const definition = await engine.store.definitions.get(execution.definition);
  if (!definition) throw fault('execution.action-not-found', { ref: execution.action_ref });
  try {
    const again = rerunOf(execution);
    const run = again ? await reopen(engine, execution, again) : await beginRun(engine, execution, definition);
    return await takeOver(engine, run);
  } catch (error) {
    if (!(error instanceof NotBegun)) throw error;
    await refuse(engine, execution, definition, error.errors);
    return undefined;
  }
}

async function takeOver(engine: Engine, run: WorkflowRun): Promise<WorkflowRun | undefined> {
  const { execution, record, definition } = run;
  if (execution.status !== 'scheduled') return run;
  const shown = definition.chain ? undefined : await engine.executions.results.store(execution, { output: null });
  const moved = await showRunning(engine, execution, {
    'context.workflow_execution': record._id,
    has_children: true,
    ...shown?.set,
  });
  if (!moved) return undefined;
  run.execution = moved;
  return run;
}

const showRunning = (
  { executions }: Engine,
  execution: ExecutionRecord,
  set: TransitionOptions['set'],
): Promise<ExecutionRecord | undefined> =>
  executions.transition({ _id: execution._id }, 'running', {
    from: ['scheduled'],
    revision: execution.revision,
    known: execution,
    set: { runner_info: { hostname: HOST, pid: process.pid }, ...set },
    due: ['workflow-engine'],
    atWork: 'workflow-engine',
  });

/** The definition and the inputs are checked while the execution runs, so its log says so. */
async function refuse(
  engine: Engine,
  execution: ExecutionRecord,
  { runner }: DefinitionRecord,
  errors: NotBegun['errors'],
): Promise<void> {
  const shown = execution.status === 'scheduled' ? await showRunning(engine, execution, {}) : execution;
  if (!shown) return;
  const result = runner.name === 'action-chain' ? { error: errors[0]?.['message'] } : { errors, output: null };
  await fail(engine.executions, shown, result);
}

/** Ends a run that cannot continue. */
export async function abort(engine: Engine, workflow: Id, reason: string): Promise<void> {
  const { store, executions, logger } = engine;
  const record = await store.workflows.get(workflow);
  const execution = record && (await executions.records.get(record.execution));
  if (!record || !execution) return;
  logger.error('A workflow cannot continue; ending it.', { workflow, execution_id: execution._id, error: reason });
  await fail(executions, execution, { output: null, errors: [{ type: 'error', message: reason }] });
  await engine.close(workflow);
}

async function fail(
  { results, transition }: Engine['executions'],
  { pool: _, ...execution }: ExecutionRecord,
  result: Record<string, unknown>,
): Promise<void> {
  const stored = await results.store(execution, result);
  const ended = await transition(execution, 'failed', { from: [execution.status], ...stored });
  if (!ended) await results.discard(stored);
}

interface Rerun {
  ref: Id;
  tasks: readonly string[];
  reset: readonly string[];
}

/** The tasks and the run that an execution reruns; undefined when it starts a new run. */
export function rerunOf({ context, runner_name: runner }: ExecutionRecord): Rerun | undefined {
  const again = context['re-run'];
  if (runner !== 'orquesta' || !isPlainObject(again)) return undefined;
  const { ref, tasks, reset = [] } = again as { ref?: unknown; tasks?: unknown; reset?: unknown };
  if (typeof ref !== 'string' || !Array.isArray(tasks) || tasks.length === 0) return undefined;
  return { ref, tasks: tasks.map(String), reset: Array.isArray(reset) ? reset.map(String) : [] };
}

async function reopen(engine: Engine, execution: ExecutionRecord, again: Rerun): Promise<WorkflowRun> {
  const { store, instance } = engine;
  const workflow = await workflowOf(engine, execution);
  const known = await store.workflows.get(workflow);
  if (!known) throw notBegun('Unable to rerun workflow execution because workflow_execution_id is not provided.');
  await recordCancellation(engine, known);
  const opened =
    known.execution === execution._id ? known : await store.workflows.reopen(workflow, execution._id, instance);
  if (!opened) throw await notOpened(engine, known, execution);
  const run = await restore(engine, opened);
  if (!run) throw notBegun(`Unable to rerun workflow execution "${workflow}" because it does not exist.`);
  run.execution = execution;
  if (!run.conductor.isCompleted) return run;
  try {
    await openTasks(engine, run, again);
  } catch (error) {
    await engine.close(workflow);
    throw error;
  }
  return run;
}

/** Another engine may be opening or closing the run at the same time; that is retried. */
async function notOpened(
  { store, executions }: Engine,
  { _id: workflow, execution: id }: WorkflowRecord,
  again: ExecutionRecord,
) {
  const [now, before] = await Promise.all([store.workflows.get(workflow), executions.records.get(id)]);
  if (now?.execution === again._id || (before && isTerminal(before.status)))
    return new Error(`the workflow ${workflow} is being started or closed by another process`);
  return notBegun(`Unable to rerun workflow execution "${workflow}" because it is not in a completed state.`);
}

/** Reopens each task in every route that it has run in. */
async function openTasks(engine: Engine, run: WorkflowRun, { tasks, reset }: Rerun): Promise<void> {
  const known = [...run.conductor.tasks.keys()].map((key) => {
    const at = key.lastIndexOf(':');
    return { task: key.slice(0, at), route: Number(key.slice(at + 1)) };
  });
  const missing = tasks.filter((name) => !known.some(({ task }) => task === name));
  if (missing.length > 0)
    throw notBegun(`Unable to rerun workflow because one or more tasks is not found: ${missing.join(',')}`);
  const requests: TaskRerun[] = known
    .filter(({ task }) => tasks.includes(task))
    .map(({ task, route }) => ({ task, route, resetItems: reset.includes(task) }));
  try {
    await call(engine, run, (options) => run.conductor.rerun(requests, options));
  } catch (error) {
    if (error instanceof ConductorError) throw notBegun(messageOf(error));
    throw error;
  }
}

const notBegun = (message: string): NotBegun => new NotBegun([{ message }]);
