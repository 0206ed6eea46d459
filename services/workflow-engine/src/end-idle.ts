import { MS_MICROS, type Id } from '@switchyard/base';
import { isWaiting } from '@switchyard/executions';
import { isTerminal, type ExecutionRecord, type Status, type WorkflowRecord } from '@switchyard/model';
import { isOneOf } from '@switchyard/storage';
import { requestKeyOf, type WorkflowDefinition } from '@switchyard/workflow-runs';
import { isConcerned } from './cancel-children';
import { definitionOfRun } from './restore';
import type { Engine } from './run';

/** A workflow that has begun, and its run, which this engine owns. */
export interface BegunWorkflow {
  readonly record: ExecutionRecord;
  readonly run: WorkflowRecord;
}

interface IdleEnd {
  readonly user: string;
  /** Whether the outer workflow finds out by itself that one of its workflows has ended. */
  readonly parentHears: (record: ExecutionRecord) => boolean;
}

/** Statuses of a workflow that can end without having been asked to cancel. */
const ENDABLE: readonly Status[] = ['running', 'pausing', 'paused', 'resuming', 'pending'];

/**
 * Ends workflows of a canceled tree of which nothing is at work, without a turn for each of them.
 *
 * 1. Their waiting actions are canceled first. If one of them starts meanwhile, its workflow is left to its own turn.
 * 2. Then the workflows are canceled, each by compare-and-set, with the result that their turns would give them.
 * 3. Nothing is written to their journals: the end follows from the status of the execution. `recordCancellation` adds
 *    the step if tasks of the run are to run again.
 * 4. A run in a turn is left out, because it may be submitting actions. A turn that begins later finds the
 *    cancellation of the tree before it submits anything, and then the end of its execution (`controlsMeanwhile`).
 * 5. The former engine of an adopted run may be alive, and in the middle of a turn. It cannot write another step after
 *    `fence`, and all actions of the last step are there.
 * 6. If this engine dies in between, some executions have ended whose runs are open. The engine that takes these over
 *    finds the same.
 * @returns the ids of the executions that have ended
 */
export async function endIdle(
  engine: Engine,
  workflows: readonly BegunWorkflow[],
  { user, parentHears }: IdleEnd,
): Promise<ReadonlySet<Id>> {
  const simple = await simpleAmong(engine, workflows);
  const idle = await withoutWork(engine, simple, user);
  const records = idle.map(({ record }) => record);
  const cancellation = { user, result: { output: null } };
  const hears = { ...cancellation, atWork: 'workflow-engine' } as const;
  const moved = [
    ...(await engine.executions.cancelIdle(records.filter(parentHears), hears)),
    ...(await engine.executions.cancelIdle(
      records.filter((record) => !parentHears(record)),
      cancellation,
    )),
  ];
  const ended = new Set(moved.map(({ _id }) => _id));
  const runs = idle.flatMap(({ record, run }) => (ended.has(record._id) ? [run] : []));
  await close(engine, runs);
  const now = engine.clock.nowMicros();
  for (const { started_at: start } of runs)
    engine.metrics.time('orquesta.workflow.executions', (now - start) / MS_MICROS);
  return ended;
}

/** If it fails, each run finds in a turn that it has ended. */
async function close(engine: Engine, runs: readonly WorkflowRecord[]): Promise<void> {
  const ids = runs.map(({ _id }) => _id);
  await engine.letGo(ids).catch(() => {
    for (const id of ids) void engine.tell(id, { look: true }).catch(() => undefined);
  });
}

/** Those that are not in a turn, and whose end needs no decision of the conductor. */
async function simpleAmong(engine: Engine, workflows: readonly BegunWorkflow[]): Promise<BegunWorkflow[]> {
  const known = new Map<string, boolean>();
  const simple: BegunWorkflow[] = [];
  for (const workflow of workflows) {
    const { record, run } = workflow;
    if (!ENDABLE.includes(record.status) || run.execution !== record._id || engine.isAtWork(run._id)) continue;
    let isSimple = known.get(run.definition);
    if (isSimple === undefined) {
      const definition = await definitionOfRun(engine, run);
      isSimple = definition !== undefined && endsSimply(definition);
      known.set(run.definition, isSimple);
    }
    if (isSimple) simple.push(workflow);
  }
  return simple;
}

/** Whether a canceled run has no clean-up and no output. */
const endsSimply = ({ spec, chain }: WorkflowDefinition): boolean =>
  chain === undefined &&
  spec.output.length === 0 &&
  spec.finally.length === 0 &&
  [...spec.tasks.values()].every(({ rollback }) => rollback === undefined);

/** Actions that are read at a time. A run with more of them cancels them itself, in bulk as well. */
const READ_AT_A_TIME = 200;

/** Cancels the waiting actions of some workflows. @returns the workflows that have no other unfinished action */
async function withoutWork(
  engine: Engine,
  workflows: readonly BegunWorkflow[],
  user: string,
): Promise<BegunWorkflow[]> {
  const idle: BegunWorkflow[] = [];
  const unread = workflows.length === 0 ? [] : [workflows];
  for (let some = unread.pop(); some; some = unread.pop()) {
    const filter = { workflow_execution: isOneOf(some.map(({ run }) => run._id)) };
    const children = await engine.executions.records.list({ filter, limit: READ_AT_A_TIME + 1 });
    if (children.length <= READ_AT_A_TIME) idle.push(...(await idleAmong(engine, some, children, user)));
    else if (some.length > 1) {
      const half = some.length >> 1;
      unread.push(some.slice(0, half), some.slice(half));
    }
    await engine.slice.next();
  }
  return idle;
}

async function idleAmong(
  engine: Engine,
  workflows: readonly BegunWorkflow[],
  children: readonly ExecutionRecord[],
  user: string,
): Promise<BegunWorkflow[]> {
  const busy = new Set<Id>();
  const note = ({ workflow_execution: workflow }: ExecutionRecord) => busy.add(workflow!);
  const unfinished = children.filter(({ status }) => !isTerminal(status));
  const mayWait = (child: ExecutionRecord) =>
    isWaiting(child) && child.slot === undefined && isConcerned(engine, child);
  for (const child of unfinished) if (!mayWait(child)) note(child);
  const waiting = unfinished.filter(({ workflow_execution: workflow }) => !busy.has(workflow!));
  const moved = await engine.executions.cancelWaiting(waiting, user, 'workflow-engine');
  const canceled = new Set(moved.map(({ _id }) => _id));
  for (const child of waiting) if (!canceled.has(child._id)) note(child);
  for (const { run } of workflows)
    if (run.adopted && !busy.has(run._id) && !(await fence(engine, run, children))) busy.add(run._id);
  return workflows.filter(({ run }) => !busy.has(run._id));
}

/**
 * Keeps the former engine of a run from adding to it.
 * @param children the actions of the run, and possibly of others
 * @returns false if that engine may still submit actions, or if the run belongs to another engine by now
 */
async function fence(
  { journal, slice }: Engine,
  { _id: workflow }: WorkflowRecord,
  children: readonly ExecutionRecord[],
): Promise<boolean> {
  const history = await journal.read(workflow, slice);
  if (!history?.head) return false;
  const requested = new Set(children.map(({ request_key: key }) => key));
  for (const { command } of history.commands) if (!requested.has(requestKeyOf(workflow, command))) return false;
  return journal.append(workflow, history, { changes: { head: history.head, put: [], removed: [] } });
}
