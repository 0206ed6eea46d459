import type { ExecutionRecord, Status } from '@switchyard/model';
import { canceledTop, cancelTree } from './cancel-tree';
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
export async function controlsMeanwhile(engine: Engine, run: WorkflowRun, isLong: boolean): Promise<ExecutionRecord[]> {
  const { executions } = engine;
  const { _id: id, status } = run.execution;
  if (status === 'canceling' || run.conductor.isCompleted) return [];
  const top = await canceledTop(engine, run.execution);
  if (top) {
    const user = userOf(top, 'cancelled_by');
    // This turn acts on it, so it needs no message.
    const asked = await executions.cancelBegun([run.execution], user, 'workflow-engine');
    if (asked.length > 0) return asked;
    await tolerant(() => executions.cancel(id, user));
  } else if (!isLong) return [];
  const own = await executions.records.get(id);
  return own && asks(own) && own.revision > run.heard ? [own] : [];
}
