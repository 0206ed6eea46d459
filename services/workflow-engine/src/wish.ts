import { isTerminal, type ExecutionRecord, type Status } from '@switchyard/model';
import { cancelChildren } from './cancel-children';
import type { Engine } from './engine';
import type { Run } from './run';
import { tolerant } from './tolerant';
import { userOf } from './user-of';

/**
 * Passes on to the run's actions what its user wants of the run. Doing it again changes nothing.
 * @yields children that have ended with it, of which the run does not know yet
 */
export async function* passOn(engine: Engine, run: Run, wished: Status): AsyncGenerator<ExecutionRecord[]> {
  if (wished === 'canceling') yield* cancelTree(engine, run, userOf(run.execution, 'cancelled_by'));
  const step = STEPS[wished];
  if (step === undefined) return;
  const user = userOf(run.execution, step.by);
  const concerned: ExecutionRecord[] = [];
  for await (const child of engine.store.executions.eachOfWorkflow(run.record._id))
    if (step.concerns(child)) concerned.push(child);
  for (const child of concerned) await tolerant(() => step.ask(engine, child, user));
}

/** Cancelling a part of a workflow cancels the whole. First everybody is told who could request more. */
async function* cancelTree(engine: Engine, run: Run, user: string): AsyncGenerator<ExecutionRecord[]> {
  await cancelRoot(engine, run, user);
  if (run.execution.root === undefined) await cancelWorkflows(engine, run.execution._id, user);
  yield* cancelChildren(engine, run, user);
}

const UNDER_WAY: readonly Status[] = ['running', 'pausing', 'paused', 'resuming', 'pending'];
const AT_A_TIME = 20;

/** Cancels the workflows of a tree that have begun; each of them sees to what it has requested. */
async function cancelWorkflows({ store, executions }: Engine, root: string, user: string): Promise<void> {
  const asked = new Set<string>();
  for (;;) {
    const found = await store.executions.workflowsUnder(root, UNDER_WAY, AT_A_TIME);
    const others = found.filter(({ _id }) => !asked.has(_id));
    if (others.length === 0) return;
    await Promise.all(others.map(({ _id }) => tolerant(() => executions.cancel(_id, user))));
    for (const { _id } of others) asked.add(_id);
  }
}

interface WishStep {
  /** Name in the context of who wanted it. */
  by: string;
  concerns(child: ExecutionRecord): boolean;
  ask(engine: Engine, child: ExecutionRecord, user: string): Promise<unknown>;
}

const STEPS: Readonly<Partial<Record<Status, WishStep>>> = {
  pausing: {
    by: 'paused_by',
    concerns: ({ status, action_is_workflow: isWorkflow }) => isWorkflow && status === 'running',
    ask: ({ executions }, { _id }, user) => executions.update(_id, { status: 'pausing' }, user),
  },
  resuming: {
    by: 'resumed_by',
    concerns: ({ status, action_is_workflow: isWorkflow }) => isWorkflow && status === 'paused',
    ask: ({ executions }, { _id }, user) => executions.update(_id, { status: 'resuming' }, user),
  },
};

async function cancelRoot({ store, executions }: Engine, { execution }: Run, user: string): Promise<void> {
  const root =
    execution.root === undefined ? await rootOf(store, execution) : await store.executions.get(execution.root);
  if (!root || root._id === execution._id || root.status === 'canceling' || isTerminal(root.status)) return;
  await tolerant(() => executions.cancel(root._id, user));
}

/** Of an execution of an earlier version, which does not know it. */
async function rootOf({ executions }: Engine['store'], execution: ExecutionRecord): Promise<ExecutionRecord> {
  let root = execution;
  while (root.parent !== undefined && root.workflow_execution !== undefined) {
    const parent = await executions.get(root.parent);
    if (!parent) break;
    root = parent;
  }
  return root;
}
