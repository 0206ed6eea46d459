import type { Clock, Id, Micros } from '@switchyard/base';
import {
  holdsSlot,
  isTerminal,
  statusesBefore,
  type DueConsumer,
  type ExecutionRecord,
  type Status,
} from '@switchyard/model';
import { isSameClaim, type RecordChange, type ExecutionRepository } from '@switchyard/storage';
import type { Announcer } from './announce';
import { WORKFLOW_POOL } from './execution-record';

type ExecutionChange = RecordChange<ExecutionRecord>;

/** A workflow engine in this process; no other process uses the store. */
export interface LocalEngine {
  /** Whether it has the run in memory. */
  hasRun(workflow: Id): boolean;
  /** Makes the run process the end of one of its actions. If that fails, the action becomes due for the engines in the store. */
  hearEnd(ended: ExecutionRecord): void;
}

export interface TransitionDeps {
  executions: ExecutionRepository;
  announce: Announcer;
  clock: Clock;
  /** Whether a rule listens to this status, so that the notifier has to announce it. Does not read the store. */
  isTold?: (status: Status) => boolean;
  /** The engine of this process that has a run in memory. */
  localEngine?: (workflow: Id) => LocalEngine | undefined;
}

export interface TransitionOptions {
  /** Statuses to start from, when fewer than the transition table allows. */
  from?: readonly Status[];
  /** Only while this claim holds. */
  claim?: { instance: string; number: number };
  /** Only while the record is at this revision. */
  revision?: number;
  /** Consumers that have to act next; for a status that is not terminal, none when absent. */
  due?: readonly DueConsumer[];
  /** The consumer among these that is already at work and needs no message. */
  atWork?: DueConsumer;
  set?: NonNullable<ExecutionChange['set']>;
  unset?: NonNullable<ExecutionChange['unset']>;
  /** The record as last read. A server then need not return it, unless it has changed in between. */
  known?: ExecutionRecord;
  /** When the move happens. A retry with the same time recognizes a first attempt that was stored after all. */
  at?: Micros;
}

/** The fields that a transition needs: the id, those that decide who handles the end, and the pool if it takes a slot. */
export type TransitionSubject = Pick<ExecutionRecord, '_id'> &
  Partial<Pick<ExecutionRecord, 'pool' | 'notify' | 'workflow_execution' | 'retries'>>;

/**
 * Moves an execution to a status. Besides it, only `cancel-together.ts` and the repairs of `svc doctor` change statuses. The
 * status, its log entry, the services that have to act next and the other changes are one compare-and-set. The messages
 * follow and may be lost. If the response to a write was lost and the driver repeated it without effect, the log entry
 * shows that the first write was stored.
 *
 * An engine of this process is notified of the end of an action directly, without a `due` mark and a message. If the
 * process dies before the engine has recorded it, the next engine finds the ended action when it takes over the run.
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
  const engine = localEngineFor(deps, record, to);
  const due = dueAfter(deps, record, to, options.due).filter((name) => !engine || name !== 'workflow-engine');
  const changed = await deps.executions.change(
    record._id,
    {
      status: from.filter((status) => legal.includes(status)),
      ...(claim ? { claim } : {}),
      ...(revision === undefined ? {} : { revision }),
    },
    moveChange(record, { to, due, now }, options),
    options.known,
  );
  const moved = changed ?? (await movedBefore(deps, record._id, { status: to, timestamp: now }, options.set?.claim));
  if (!moved) return undefined;
  deps.announce.moved(moved, { atWork: options.atWork });
  engine?.hearEnd(moved);
  return moved;
}

const localEngineFor = (
  { localEngine }: TransitionDeps,
  { workflow_execution: workflow }: TransitionSubject,
  to: Status,
): LocalEngine | undefined => (isTerminal(to) && workflow !== undefined ? localEngine?.(workflow) : undefined);

export interface Move {
  to: Status;
  due: readonly DueConsumer[];
  now: Micros;
}

const NONE: readonly [] = [];

const takesSlot = (pool: string | undefined): pool is string => pool !== undefined && pool !== WORKFLOW_POOL;

/** The change of the record for a move. */
export function moveChange(
  { pool }: TransitionSubject,
  { to, due, now }: Move,
  { set, unset = [] }: Pick<TransitionOptions, 'set' | 'unset'>,
): ExecutionChange {
  return {
    set: {
      ...set,
      status: to,
      ...(isTerminal(to) ? { end_timestamp: now } : {}),
      ...(holdsSlot(to) && takesSlot(pool) ? { slot: pool } : {}),
      ...(due.length > 0 ? { due, due_at: now } : {}),
    },
    unset: [
      ...unset,
      ...(due.length > 0 ? NONE : (['due', 'due_at'] as const)),
      // An execution without a slot has no runner that could die.
      ...(holdsSlot(to) ? NONE : (['slot', 'claim'] as const)),
      ...(to === 'delayed' ? NONE : (['waits_on', 'waiting_for'] as const)),
    ],
    push: { log: { status: to, timestamp: now } },
    inc: { revision: 1 },
  };
}

/** The record, if its last log entry is the one of this move, and the claim too: two runners may claim it at the same microsecond. */
export async function movedBefore(
  { executions }: Pick<TransitionDeps, 'executions'>,
  id: string,
  { status, timestamp }: ExecutionRecord['log'][number],
  claim?: ExecutionRecord['claim'],
): Promise<ExecutionRecord | undefined> {
  const record = await executions.get(id);
  const last = record?.log.at(-1);
  if (last?.status !== status || last.timestamp !== timestamp) return undefined;
  return claim === undefined || isSameClaim(record?.claim, claim) ? record : undefined;
}

/** The services that have to act after a transition. The engine handles the end of a task, and a task that waits for a response. */
export function dueAfter(
  { isTold }: Pick<TransitionDeps, 'isTold'>,
  record: TransitionSubject,
  to: Status,
  given: readonly DueConsumer[] = [],
): readonly DueConsumer[] {
  if (isTerminal(to)) return dueAtEnd(record, isTold?.(to));
  const workflow = to === 'pending' && record.workflow_execution ? (['workflow-engine'] as const) : [];
  return [...new Set([...given, ...workflow, ...(isTold?.(to) ? (['notifier'] as const) : [])])];
}

/**
 * The services that have to act after an execution has ended.
 * @param told whether a rule listens to this status
 */
export function dueAtEnd(record: TransitionSubject, told = false): DueConsumer[] {
  return [
    ...(record.workflow_execution ? (['workflow-engine'] as const) : []),
    ...(told || record.notify || record.retries ? (['notifier'] as const) : []),
  ];
}
