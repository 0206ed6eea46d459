import type { Clock, Micros } from '@switchyard/base';
import {
  holdsSlot,
  isTerminal,
  statusesBefore,
  type DueConsumer,
  type ExecutionRecord,
  type Status,
} from '@switchyard/model';
import type { Change, ExecutionRepository } from '@switchyard/storage';
import type { Announcer } from './announce';

export interface TransitionDeps {
  executions: ExecutionRepository;
  announce: Announcer;
  clock: Clock;
  /** Whether somebody listens to executions entering a status: the notifier then has to tell of it. Asks nobody. */
  isTold?: (status: Status) => boolean;
}

export interface TransitionOptions {
  /** Statuses to start from, when fewer than the transition table allows. */
  from?: readonly Status[];
  /** Only while this claim holds. */
  claim?: { instance: string; number: number };
  /** Only while the record is at this revision. */
  revision?: number;
  /** Who has to act next; nobody when absent and the status is not terminal. */
  due?: readonly DueConsumer[];
  /** Who of these acts already, so that no message need tell him. */
  atWork?: DueConsumer;
  set?: Record<string, unknown>;
  unset?: readonly string[];
  /** When it happens. Whoever tries again after an error gives the same time, and finds out that the first try has counted. */
  at?: Micros;
}

/** What a move needs to know of the record: its id, who is told of its end, and the pool unless it holds a slot already. */
export type TransitionSubject = Pick<ExecutionRecord, '_id'> &
  Partial<Pick<ExecutionRecord, 'pool' | 'notify' | 'workflow_execution' | 'retries'>>;

/**
 * Moves an execution to a status: the only code that writes one. The status, its log entry, who has to act next and
 * everything that belongs to the move go into one compare-and-set; the messages follow, and may be lost. A write whose
 * answer was lost with a connection, and which the driver then repeated in vain, is known by its log entry.
 * @returns the record as it is now, or undefined when it was not (or no longer) in a status that allows the move
 */
export async function transition(
  deps: TransitionDeps,
  record: TransitionSubject,
  to: Status,
  options: TransitionOptions = {},
): Promise<ExecutionRecord | undefined> {
  const now = options.at ?? deps.clock.nowMicros();
  const legal = statusesBefore(to);
  const { from = legal, claim, revision } = options;
  const due = dueAfter(deps, record, to, options.due);
  const changed = await deps.executions.change(
    record._id,
    {
      status: from.filter((status) => legal.includes(status)),
      ...(claim ? { claim } : {}),
      ...(revision === undefined ? {} : { revision }),
    },
    moveChange(record, { to, due, now }, options),
  );
  const moved = changed ?? (await movedBefore(deps, record._id, { status: to, timestamp: now }));
  if (moved) deps.announce.moved(moved, options.atWork);
  return moved;
}

interface Move {
  to: Status;
  due: readonly DueConsumer[];
  now: Micros;
}

/** Everything that belongs to a move. */
export function moveChange(
  { pool }: TransitionSubject,
  { to, due, now }: Move,
  { set, unset = [] }: Pick<TransitionOptions, 'set' | 'unset'>,
): Change {
  return {
    set: {
      ...set,
      status: to,
      ...(isTerminal(to) ? { end_timestamp: now } : {}),
      ...(holdsSlot(to) && pool !== undefined ? { slot: pool } : {}),
      ...(due.length > 0 ? { due, due_at: now } : {}),
    },
    unset: [
      ...unset,
      ...(due.length > 0 ? [] : ['due', 'due_at']),
      // Without a slot there is no runner at work whose death would have to be noticed.
      ...(holdsSlot(to) ? [] : ['slot', 'claim']),
      ...(to === 'delayed' ? [] : ['waits_on', 'waiting_for']),
    ],
    push: { log: { status: to, timestamp: now } },
    inc: { revision: 1 },
  };
}

/** The record, when its last log entry is the one of this very move. */
async function movedBefore(
  { executions }: TransitionDeps,
  id: string,
  { status, timestamp }: ExecutionRecord['log'][number],
): Promise<ExecutionRecord | undefined> {
  const record = await executions.get(id);
  const last = record?.log.at(-1);
  return last?.status === status && last.timestamp === timestamp ? record : undefined;
}

/** Who has to act after a move. A workflow is told of tasks that have ended, and of those that wait for people. */
function dueAfter(
  { isTold }: TransitionDeps,
  record: TransitionSubject,
  to: Status,
  given: readonly DueConsumer[] = [],
): readonly DueConsumer[] {
  if (isTerminal(to)) return dueAtEnd(record, isTold?.(to));
  const workflow = to === 'pending' && record.workflow_execution ? (['workflow-engine'] as const) : [];
  return [...new Set([...given, ...workflow, ...(isTold?.(to) ? (['notifier'] as const) : [])])];
}

/**
 * Who has to act on an execution that has ended.
 * @param told whether somebody listens to such ends
 */
export function dueAtEnd(record: TransitionSubject, told = false): DueConsumer[] {
  return [
    ...(record.workflow_execution ? (['workflow-engine'] as const) : []),
    ...(told || record.notify || record.retries ? (['notifier'] as const) : []),
  ];
}
