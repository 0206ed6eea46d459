/** Statuses of a workflow, of a task and of an item of a with-items task. */
export const STATUSES = [
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

export type Status = (typeof STATUSES)[number];

/** What the status machines know before the first event. */
export type StatusOrUnset = Status | 'unset';

const setOf = (...statuses: Status[]): ReadonlySet<StatusOrUnset | null> => new Set(statuses);

export const COMPLETED = setOf('succeeded', 'failed', 'timeout', 'abandoned', 'canceled');
export const ABENDED = setOf('failed', 'timeout', 'abandoned');
/** Something is going on. Pending, paused and retrying are not: there the next step is somebody else's. */
export const ACTIVE = setOf('requested', 'scheduled', 'delayed', 'running', 'resuming', 'pausing', 'canceling');
/** A workflow in one of these hands out tasks. */
export const HANDING_OUT = setOf('requested', 'scheduled', 'delayed', 'running', 'resuming', 'retrying');
/** Events with these open a new round of a task that has ended. */
export const STARTING = setOf('requested', 'scheduled', 'delayed', 'running', 'pending');
export const PAUSED_LIKE = setOf('pausing', 'paused', 'pending');
export const CANCELED_LIKE = setOf('canceling', 'canceled');

export const isStatus = (value: string): value is Status => (STATUSES as readonly string[]).includes(value);
