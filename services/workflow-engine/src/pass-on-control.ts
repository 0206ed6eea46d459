import { isTerminal, type ExecutionRecord, type Status } from '@switchyard/model';
import { cancelChildren } from './cancel-children';
import { cancelWorkflows } from './cancel-workflows';
import { canceledTop } from './control';
import { tolerant, userOf, type Engine, type WorkflowRun } from './run';

/**
 * Passes a control request (pause, resume, cancel) on to the run's actions. Idempotent.
 * @yields children that ended because of it, before the run has seen their end
 */
export async function* passOnControl(
  engine: Engine,
  run: WorkflowRun,
  requested: Status,
): AsyncGenerator<ExecutionRecord[]> {
  if (requested === 'canceling') yield* cancelTree(engine, run, userOf(run.execution, 'cancelled_by'));
  const step = STEPS[requested];
  if (step === undefined) return;
  const user = userOf(run.execution, step.by);
  const concerned: ExecutionRecord[] = [];
  for await (const child of engine.executions.records.eachOfWorkflow(run.record._id))
    if (step.concerns(child)) concerned.push(child);
  for (const child of concerned) await tolerant(() => step.ask(engine, child, user));
}

interface ControlStep {
  /** Context member with the name of the user. */
  by: string;
  concerns(child: ExecutionRecord): boolean;
  ask(engine: Engine, child: ExecutionRecord, user: string): Promise<unknown>;
}

const STEPS: Readonly<Partial<Record<Status, ControlStep>>> = {
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

/**
 * Canceling any part of a workflow cancels the whole tree.
 * @yields children of the run that have ended without the run knowing
 */
async function* cancelTree(engine: Engine, run: WorkflowRun, user: string): AsyncGenerator<ExecutionRecord[]> {
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
