/**
 * The statuses of an execution and every move between them. `transition` in @switchyard/executions is the only code
 * that writes a status, and it consults this table.
 */
export const STATUSES = [
  'requested',
  'scheduled',
  'delayed',
  'running',
  'succeeded',
  'failed',
  'timeout',
  'abandoned',
  'canceling',
  'canceled',
  'pending',
  'pausing',
  'paused',
  'resuming',
] as const;

export type Status = (typeof STATUSES)[number];

export const TERMINAL_STATUSES = [
  'succeeded',
  'failed',
  'timeout',
  'canceled',
  'abandoned',
] as const satisfies Status[];
export type TerminalStatus = (typeof TERMINAL_STATUSES)[number];

/** Terminal statuses that count as failure, for `on-failure` and policies. */
export const FAILURE_STATUSES = ['failed', 'timeout', 'abandoned'] as const satisfies Status[];

export const CANCELABLE_STATUSES = [
  'requested',
  'scheduled',
  'delayed',
  'running',
  'pending',
  'pausing',
  'paused',
  'resuming',
] as const satisfies Status[];

/** Statuses in which a runner holds, or is about to hold, a slot for the execution. */
export const ACTIVE_STATUSES = ['scheduled', 'running', 'pausing', 'resuming', 'canceling'] as const satisfies Status[];

/** Any unfinished execution may be ended from outside: by PUT, by recovery, or by a failed hand-over. */
const END: readonly Status[] = TERMINAL_STATUSES;

const NEXT: Readonly<Record<Status, readonly Status[]>> = {
  requested: ['delayed', 'scheduled', 'canceling', ...END],
  delayed: ['requested', 'scheduled', 'canceling', ...END],
  scheduled: ['running', 'requested', 'delayed', 'canceling', ...END],
  running: ['requested', 'pending', 'pausing', 'paused', 'canceling', ...END],
  pending: ['canceling', ...END],
  pausing: ['running', 'paused', 'canceling', ...END],
  paused: ['resuming', 'canceling', ...END],
  resuming: ['running', 'pausing', 'canceling', ...END],
  canceling: END,
  succeeded: [],
  failed: [],
  timeout: [],
  canceled: [],
  abandoned: [],
};

export const isStatus = (text: string): text is Status => (STATUSES as readonly string[]).includes(text);
export const isTerminal = (status: Status): status is TerminalStatus =>
  (TERMINAL_STATUSES as readonly Status[]).includes(status);
export const isFailure = (status: Status): boolean => (FAILURE_STATUSES as readonly Status[]).includes(status);
export const isCancelable = (status: Status): boolean => (CANCELABLE_STATUSES as readonly Status[]).includes(status);
export const holdsSlot = (status: Status): boolean => (ACTIVE_STATUSES as readonly Status[]).includes(status);
export const mayMove = (from: Status, to: Status): boolean => NEXT[from].includes(to);

/** The statuses that may move to `to`. */
export const statusesBefore = (to: Status): Status[] => STATUSES.filter((from) => mayMove(from, to));

/**
 * The consumers that may still have to act on a record. Each transition names them in the same write, and a consumer removes
 * its own name once its effect is stored. The sweep sends a new message for names that stay too long.
 */
export const DUE_CONSUMERS = ['scheduler', 'action-runner', 'workflow-engine', 'notifier'] as const;
export type DueConsumer = (typeof DUE_CONSUMERS)[number];
