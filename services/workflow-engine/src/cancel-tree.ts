import type { Id } from '@switchyard/base';
import { isTerminal, type ExecutionRecord, type Status } from '@switchyard/model';
import { isOneOf } from '@switchyard/storage';
import { cancelChildren } from './cancel-children';
import { tolerant, userOf, type Engine, type WorkflowRun } from './run';

/**
 * Canceling any part of a workflow cancels the whole tree.
 * @yields children of the run that have ended without the run knowing
 */
export async function* cancelTree(engine: Engine, run: WorkflowRun, user: string): AsyncGenerator<ExecutionRecord[]> {
  await cancelRoot(engine, run, user);
  if (run.execution.root === undefined) await cancelWorkflows(engine, run.execution._id, user);
  yield* cancelChildren(engine, run, user);
}

async function cancelRoot(engine: Engine, run: WorkflowRun, user: string): Promise<void> {
  if (await canceledTop(engine, run.execution)) return;
  const { executions } = engine;
  const { execution } = run;
  const root =
    execution.root === undefined ? await rootOf(executions, execution) : await executions.records.get(execution.root);
  if (!root || root._id === execution._id || root.status === 'canceling' || isTerminal(root.status)) return;
  await tolerant(() => executions.cancel(root._id, user));
}

/** For executions of earlier versions, which have no `root`. */
async function rootOf({ records }: Engine['executions'], execution: ExecutionRecord): Promise<ExecutionRecord> {
  let root = execution;
  while (root.parent !== undefined && root.workflow_execution !== undefined) {
    const parent = await records.get(root.parent);
    if (!parent) break;
    root = parent;
  }
  return root;
}

/** Statuses of a workflow that has not begun. */
const WAITING: readonly Status[] = ['requested', 'delayed', 'scheduled'];
const BEGUN: readonly Status[] = ['running', 'pausing', 'paused', 'resuming', 'pending'];
/** Workflows canceled with one write. */
const AT_A_TIME = 100;

/**
 * Cancels all workflows of a tree; each of them cancels its own actions.
 *
 * 1. Those that have begun come first, the most deeply nested ones first: a run that is asked later finds that the
 *    workflows below it have ended, and ends in the same turn.
 * 2. Then those that wait are canceled. They never begin. A run that has been asked looks at all of its children in the turn in which it
 *    hears of it, so no message has to tell it of these.
 */
async function cancelWorkflows(engine: Engine, root: Id, user: string): Promise<void> {
  const asked = new Set<Id>([root]);
  for (;;) {
    const begun = await mostNestedFirst(engine, root);
    for (let at = 0; at < begun.length; at += AT_A_TIME) {
      for (const id of await askAll(engine, begun.slice(at, at + AT_A_TIME), user)) asked.add(id);
      await engine.slice.next();
    }
    const ended = await endWaiting(engine, root, user, asked);
    if (begun.length === 0 && ended === 0) return;
  }
}

/** The workflows below the root that have begun. */
async function mostNestedFirst({ executions, slice }: Engine, root: Id): Promise<Id[]> {
  const levels: Id[][] = [];
  for await (const { _id: id, nesting = 0 } of executions.records.eachWorkflowUnder(root, BEGUN)) {
    (levels[nesting] ??= []).push(id);
    await slice.next();
  }
  return levels.reverse().flat();
}

/** @returns those that are `canceling` now */
async function askAll({ executions }: Engine, ids: readonly Id[], user: string): Promise<Id[]> {
  const records = await executions.records.list({ filter: { _id: isOneOf(ids) } });
  const order = new Map(ids.map((id, index) => [id, index]));
  records.sort((a, b) => order.get(a._id)! - order.get(b._id)!);
  return (await executions.cancelBegun(records, user)).map(({ _id }) => _id);
}

/** @param asked the workflows that hear of their ended children without messages @returns how many there were */
async function endWaiting(
  { executions, slice }: Engine,
  root: Id,
  user: string,
  asked: ReadonlySet<Id>,
): Promise<number> {
  for (let count = 0; ;) {
    const waiting = await executions.records.workflowsUnder(root, WAITING, AT_A_TIME);
    if (waiting.length === 0) return count;
    const hears = ({ parent }: ExecutionRecord) => parent !== undefined && asked.has(parent);
    await executions.cancelWaiting(waiting.filter(hears), user, 'workflow-engine');
    await executions.cancelWaiting(
      waiting.filter((each) => !hears(each)),
      user,
    );
    count += waiting.length;
    await slice.next();
  }
}

/** The root execution of the tree that an execution belongs to, if it is being canceled or has been. */
export async function canceledTop(
  { executions, canceledTrees }: Pick<Engine, 'executions' | 'canceledTrees'>,
  { root }: ExecutionRecord,
): Promise<ExecutionRecord | undefined> {
  if (root === undefined) return undefined;
  const known = canceledTrees.get(root);
  if (known) return known;
  const top = await executions.records.get(root);
  if (top?.status !== 'canceling' && top?.status !== 'canceled') return undefined;
  canceledTrees.add(top);
  return top;
}

/** Root executions that have been canceled. None of them can go on, so thousands of runs need not read the same record. */
export interface CanceledTrees {
  get(root: Id): ExecutionRecord | undefined;
  add(root: ExecutionRecord): void;
}

const MOST_TREES = 100;

export function createCanceledTrees(): CanceledTrees {
  const trees = new Map<Id, ExecutionRecord>();
  return {
    get: (root) => trees.get(root),
    add(root) {
      if (trees.size >= MOST_TREES) trees.delete(trees.keys().next().value as Id);
      trees.set(root._id, root);
    },
  };
}

/**
 * The user who cancels the tree, for a run that ends with its canceled actions before the request reaches it.
 * @returns fields for the transition of the run's execution
 */
export async function cancellerOfTree(
  engine: Engine,
  { execution }: WorkflowRun,
  to: Status,
): Promise<{ 'context.cancelled_by'?: unknown }> {
  if ((to !== 'canceling' && to !== 'canceled') || execution.context['cancelled_by'] !== undefined) return {};
  const by = (await canceledTop(engine, execution))?.context['cancelled_by'];
  return by === undefined ? {} : { 'context.cancelled_by': by };
}

/** Cancels a workflow that is about to begin in a tree that has been canceled. @returns whether it was */
export async function isCanceledBefore(engine: Engine, execution: ExecutionRecord): Promise<boolean> {
  const top = execution.status === 'scheduled' ? await canceledTop(engine, execution) : undefined;
  if (top) await tolerant(() => engine.executions.cancel(execution._id, userOf(top, 'cancelled_by')));
  return top !== undefined;
}
