import type { Id } from '@switchyard/base';
import { isTerminal, type ExecutionRecord, type Status } from '@switchyard/model';
import { cancelChildren } from './cancel-children';
import { cancelWorkflows } from './cancel-workflows';
import { tolerant, userOf, type Engine, type WorkflowRun } from './run';

/**
 * Canceling any part of a workflow cancels the whole tree.
 * @yields children of the run that have ended without the run knowing
 */
export async function* cancelTree(engine: Engine, run: WorkflowRun, user: string): AsyncGenerator<ExecutionRecord[]> {
  await cancelRoot(engine, run, user);
  if (run.execution.root === undefined) {
    if (run.execution.status === 'canceling') engine.canceledTrees.add(run.execution);
    await cancelWorkflows(engine, run.execution._id, user);
  }
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
