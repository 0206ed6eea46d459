import { isTerminal, type ExecutionRecord, type Status } from '@switchyard/model';
import { cancelChildren } from './cancel-children';
import { tolerant, userOf, type Engine, type RunEvent, type WorkflowRun } from './run';

/**
 * Passes a control request (pause, resume, cancel) on to the run's actions. Idempotent.
 * @yields children that ended because of it, before the run has seen their end
 */
export async function* applyControl(
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

/** Canceling any part of a workflow cancels the whole tree, starting with the workflows that could submit more actions. */
async function* cancelTree(engine: Engine, run: WorkflowRun, user: string): AsyncGenerator<ExecutionRecord[]> {
  await cancelRoot(engine, run, user);
  if (run.execution.root === undefined) await cancelWorkflows(engine, run.execution._id, user);
  yield* cancelChildren(engine, run, user);
}

const UNDER_WAY: readonly Status[] = ['running', 'pausing', 'paused', 'resuming', 'pending'];
const AT_A_TIME = 20;

/** Cancels the running workflows of a tree; each of them cancels its own actions. */
async function cancelWorkflows({ executions }: Engine, root: string, user: string): Promise<void> {
  const asked = new Set<string>();
  for (;;) {
    const found = await executions.records.workflowsUnder(root, UNDER_WAY, AT_A_TIME);
    const others = found.filter(({ _id }) => !asked.has(_id));
    if (others.length === 0) return;
    await Promise.all(others.map(({ _id }) => tolerant(() => executions.cancel(_id, user))));
    for (const { _id } of others) asked.add(_id);
  }
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

async function cancelRoot({ executions }: Engine, { execution }: WorkflowRun, user: string): Promise<void> {
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

/** Statuses of an execution that are control requests, with the status that the conductor is asked for. */
export const CONTROL_STATUSES: Readonly<Partial<Record<Status, Status>>> = {
  pausing: 'pausing',
  resuming: 'resuming',
  canceling: 'canceled',
};

/** Engines set these statuses too, but without a `due` mark for an engine. */
const asks = ({ status, due }: ExecutionRecord): boolean =>
  CONTROL_STATUSES[status] !== undefined && due?.includes('workflow-engine') === true;

/** Whether a control request has not been journaled yet, so that its status must not be overwritten. */
export const hasPendingControl = ({ execution, history }: WorkflowRun): boolean =>
  asks(execution) && execution.revision > history.controlRevision;

/**
 * Control requests that have to be applied before the other events. A request counts from when it was stored, but its message may
 * arrive after that of an action that ended later.
 */
export async function controlsAmong(
  { executions }: Engine,
  run: WorkflowRun,
  events: readonly RunEvent[],
): Promise<ExecutionRecord[]> {
  const told = events.flatMap((event) => ('own' in event ? [event.own] : []));
  if (told.length > 0 || !events.some((event) => 'child' in event)) return told;
  const own = await executions.records.get(run.execution._id);
  return own && asks(own) && own.revision > run.heard ? [own] : [];
}

/**
 * Control requests that no event has reported yet. A run in a tree that is being canceled must not submit more until
 * the request reaches it.
 * @param isLong whether the run is about to request the rest of many actions, so that its own record is worth a read
 */
export async function controlsMeanwhile(
  { executions }: Engine,
  run: WorkflowRun,
  isLong: boolean,
): Promise<ExecutionRecord[]> {
  const { _id: id, status } = run.execution;
  if (status === 'canceling' || run.conductor.isCompleted) return [];
  const top = await canceledTop({ executions }, run);
  if (top) await tolerant(() => executions.cancel(id, userOf(top, 'cancelled_by')));
  else if (!isLong) return [];
  const own = await executions.records.get(id);
  return own && asks(own) && own.revision > run.heard ? [own] : [];
}

/** The root execution of the run's tree, if it is being canceled or has been. */
async function canceledTop(
  { executions }: Pick<Engine, 'executions'>,
  { execution: { root } }: WorkflowRun,
): Promise<ExecutionRecord | undefined> {
  const top = root === undefined ? undefined : await executions.records.get(root);
  return top?.status === 'canceling' || top?.status === 'canceled' ? top : undefined;
}

/**
 * The user who cancels the tree, for a run that ends with its canceled actions before the request reaches it.
 * @returns fields for the transition of the run's execution
 */
export async function cancellerOfTree(
  engine: Pick<Engine, 'executions'>,
  run: WorkflowRun,
  to: Status,
): Promise<{ 'context.cancelled_by'?: unknown }> {
  if ((to !== 'canceling' && to !== 'canceled') || run.execution.context['cancelled_by'] !== undefined) return {};
  const by = (await canceledTop(engine, run))?.context['cancelled_by'];
  return by === undefined ? {} : { 'context.cancelled_by': by };
}
