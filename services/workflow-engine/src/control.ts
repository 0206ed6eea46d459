import type { Id } from '@switchyard/base';
import { isTerminal, type ExecutionRecord, type Status } from '@switchyard/model';
import { LostRun, tolerant, userOf, type Engine, type RunEvent, type WorkflowRun } from './run';

/** Statuses of an execution that are control requests, with the status that the conductor is asked for. */
export const CONTROL_STATUSES: Readonly<Partial<Record<Status, Status>>> = {
  pausing: 'pausing',
  resuming: 'resuming',
  canceling: 'canceled',
};

/** Engines set these statuses too, but without a `due` mark for an engine. */
const asks = (execution: ExecutionRecord): boolean =>
  CONTROL_STATUSES[execution.status] !== undefined && hasEngineDue(execution);

/** Whether an engine still has to act on an execution. */
export const hasEngineDue = ({ due }: ExecutionRecord): boolean => due?.includes('workflow-engine') === true;

/** Whether a control request has not been journaled yet, so that its status must not be overwritten. */
export const hasPendingControl = ({ execution, history }: WorkflowRun): boolean =>
  asks(execution) && execution.revision > history.controlRevision;

/**
 * Control requests that have to be applied before the other events. A request counts from when it was stored, but its message may
 * arrive after that of an action that ended later.
 */
export async function controlsAmong(
  { readExecution }: Pick<Engine, 'readExecution'>,
  run: WorkflowRun,
  events: readonly RunEvent[],
): Promise<ExecutionRecord[]> {
  const told = events.flatMap((event) => ('own' in event ? [event.own] : []));
  const children = events.filter((event) => 'child' in event);
  if (told.length > 0 || children.length === 0) return told;
  const outer = children.map((event) => event.outer);
  const own = outer.includes(undefined) ? await readExecution(run.execution._id) : newest(outer);
  return own && asks(own) && own.revision > run.heard ? [own] : [];
}

const newest = (records: readonly (ExecutionRecord | undefined)[]): ExecutionRecord | undefined =>
  records.reduce((last, record) => ((record?.revision ?? 0) > (last?.revision ?? 0) ? record : last), undefined);

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
  if (top && own && isTerminal(own.status)) await endedBefore(engine, run);
  return own && asks(own) && own.revision > run.heard ? [own] : [];
}

/** The execution has ended together with others of its tree (`endIdle`), without a turn of its run. */
async function endedBefore({ letGo }: Engine, { record }: WorkflowRun): Promise<never> {
  await letGo([record._id]);
  throw new LostRun(record._id);
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
