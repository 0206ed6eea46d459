/** Statuses of a workflow, a task, and an item of a with-items task. */
export const WORKFLOW_STATUSES = [
  'requested',
  'scheduled',
  'delayed',
  'running',
  'pending',
  'pausing',
  'paused',
  'resuming',
  'succeeded',
  'failed',
  'timeout',
  'abandoned',
  'retrying',
  'canceling',
  'canceled',
] as const;

export type WorkflowStatus = (typeof WORKFLOW_STATUSES)[number];

/** A status, or `unset` before the first event. */
export type StatusOrUnset = WorkflowStatus | 'unset';

const setOf = (...statuses: WorkflowStatus[]): ReadonlySet<StatusOrUnset | null> => new Set(statuses);

export const COMPLETED = setOf('succeeded', 'failed', 'timeout', 'abandoned', 'canceled');
export const ABENDED = setOf('failed', 'timeout', 'abandoned');
/** Statuses with work in progress. Pending, paused and retrying wait for something else. */
export const ACTIVE = setOf('requested', 'scheduled', 'delayed', 'running', 'resuming', 'pausing', 'canceling');
/** Statuses in which a workflow dispatches tasks. */
export const HANDING_OUT = setOf('requested', 'scheduled', 'delayed', 'running', 'resuming', 'retrying');
/** Events with these statuses open a new round of an ended task. */
export const STARTING = setOf('requested', 'scheduled', 'delayed', 'running', 'pending');
export const PAUSED_LIKE = setOf('pausing', 'paused', 'pending');
export const CANCELED_LIKE = setOf('canceling', 'canceled');

export const isWorkflowStatus = (value: string): value is WorkflowStatus =>
  (WORKFLOW_STATUSES as readonly string[]).includes(value);

/**
 * For each event, the statuses it changes and their new values. An event has no effect on a status it does not list.
 */
export type MachineTable = Readonly<Record<string, Readonly<Partial<Record<StatusOrUnset, WorkflowStatus>>>>>;

/** @returns the status after the event, or undefined when the event has no effect in this status */
export const nextStatus = (table: MachineTable, status: StatusOrUnset, event: string): WorkflowStatus | undefined =>
  Object.hasOwn(table, event) ? table[event]?.[status] : undefined;

/** The same result from each of these statuses. */
export const from = <S extends StatusOrUnset>(
  statuses: readonly S[],
  result: WorkflowStatus,
): Record<S, WorkflowStatus> =>
  Object.fromEntries(statuses.map((status) => [status, result])) as Record<S, WorkflowStatus>;
