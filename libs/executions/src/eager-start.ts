import { messageOf, newId, type Clock } from '@switchyard/base';
import { permitQueue, type Bus, type ReleasePermitsMessage } from '@switchyard/messaging';
import type { Claim, ExecutionRecord, Status } from '@switchyard/model';
import type { Announcer } from './announce';
import { releasedTo, WORKFLOW_POOL } from './execution-record';
import { movedBefore, moveChange, type Move, type TransitionDeps, type TransitionOptions } from './transition';

/** A slot of an action runner in this process, kept for an execution that is about to be stored. */
export interface Reservation {
  /** The claim of the runner, without its number. */
  readonly claim: Omit<Claim, 'number'>;
  /** Begins the work on the execution, which is stored as running with this claim. */
  start(execution: ExecutionRecord & { claim: Claim }): void;
  /** Gives the slot back: the execution was not stored. */
  release(): void;
  /** Gives the slot back, and finds out whether the execution was stored, because the store failed. */
  findOut(id: string): void;
}

/** An action runner in this process. */
export interface LocalRunner {
  /** @returns undefined if it has no free slot for the pool */
  reserve(pool: string): Reservation | undefined;
}

export interface EagerStartDeps {
  clock: Clock;
  /** Without permits, schedulers release all executions. */
  permits?: Permits;
  localRunner?: () => LocalRunner | undefined;
  /** See `Store`. If true, the local runner is the only one. */
  isExclusive?: boolean;
  isTold?: (status: Status) => boolean;
}

/** The statuses that a new execution enters with the write that stores it. */
export interface EagerStart {
  /** The record in each status that it enters with that write. The last one is stored. */
  readonly states: readonly [ExecutionRecord, ...ExecutionRecord[]];
  readonly reservation?: Reservation;
}

/**
 * Takes a new execution as far as possible before it is stored, so that one write does what would take three:
 * 1. With a permit, it is stored as scheduled, and its message goes to the action runners or workflow engines at once.
 * 2. If a runner in this process has a free slot too, it is stored as running, claimed by that runner.
 * 3. If that runner is the only one, its slots are the limit, so permits are not used up. Once it has no free slot, the
 * execution is stored as requested, and the permits of the pool are dropped: later executions must not overtake it.
 *
 * The log has an entry for each status, as if the execution had entered them one after the other. Executions with a
 * delay or a limiting policy, and those with a status in between that rules listen to are left to the schedulers.
 */
export function startEagerly(deps: EagerStartDeps, requested: ExecutionRecord): EagerStart {
  const { permits, clock } = deps;
  const { pool } = requested;
  if (!permits || !isSimple(deps, requested)) return { states: [requested] };
  if (pool === WORKFLOW_POOL)
    return { states: permits.take(pool) ? [requested, released(requested, clock)] : [requested] };
  const runner = deps.localRunner?.();
  const isOnlyRunner = runner !== undefined && deps.isExclusive === true;
  if (!(isOnlyRunner ? permits.has(pool) : permits.take(pool))) return { states: [requested] };
  const reservation = runner?.reserve(pool);
  if (isOnlyRunner && !reservation) {
    permits.drop(pool);
    return { states: [requested] };
  }
  const scheduled = released(requested, clock);
  if (!reservation) return { states: [requested, scheduled] };
  const { claim } = reservation;
  const set = {
    claim: { ...claim, number: scheduled.revision },
    runner_info: { hostname: claim.host, pid: claim.pid },
  };
  const running = moved(scheduled, { to: 'running', due: [], now: clock.nowMicros() }, set);
  return { states: [requested, scheduled, running], reservation };
}

/** The record after its release. */
const released = (requested: ExecutionRecord, clock: Pick<Clock, 'nowMicros'>): ExecutionRecord =>
  moved(requested, { to: 'scheduled', due: [releasedTo(requested)], now: clock.nowMicros() });

const PASSED: readonly Status[] = ['requested', 'scheduled', 'running'];

const isSimple = ({ isTold }: EagerStartDeps, { limited, delay }: ExecutionRecord): boolean =>
  !limited && !delay && !PASSED.some((status) => isTold?.(status));

/** The record after a move, with the changes that the store would have made. */
function moved(record: ExecutionRecord, move: Move, set: TransitionOptions['set'] = {}): ExecutionRecord {
  const change = moveChange(record, move, { set });
  const next: ExecutionRecord = {
    ...record,
    ...(change.set as Partial<ExecutionRecord>),
    revision: record.revision + 1,
    log: [...record.log, { status: move.to, timestamp: move.now }],
  };
  for (const name of change.unset ?? []) delete next[name as keyof ExecutionRecord];
  return next;
}

/** An execution that waits for a slot. */
export type WaitingExecution = Pick<ExecutionRecord, '_id' | 'pool' | 'revision'> &
  Partial<Pick<ExecutionRecord, 'limited'>>;

export interface EagerReleaseDeps extends Pick<EagerStartDeps, 'clock' | 'localRunner' | 'isTold'> {
  executions: TransitionDeps['executions'];
  announce: Pick<Announcer, 'movedOn'>;
}

/**
 * Releases an execution of the backlog, for a scheduler, and starts it with the same write if an action runner of this
 * process has a free slot. Its log has an entry for each status. Executions that a policy limits, and those with
 * statuses that rules listen to, are released as usual.
 * @returns the record as it is now; undefined when nothing has changed, because there is no such slot or the record has another revision
 */
export async function releaseEagerly(
  deps: EagerReleaseDeps,
  { _id: id, pool, revision, limited }: WaitingExecution,
): Promise<ExecutionRecord | undefined> {
  const { clock, executions, announce, isTold } = deps;
  if (limited || pool === WORKFLOW_POOL || isTold?.('scheduled') || isTold?.('running')) return undefined;
  const reservation = deps.localRunner?.()?.reserve(pool);
  if (!reservation) return undefined;
  const claim = { ...reservation.claim, number: revision + 1 };
  const scheduled = { status: 'scheduled', timestamp: clock.nowMicros() } as const;
  const running = { status: 'running', timestamp: clock.nowMicros() } as const;
  const set = { claim, runner_info: { hostname: claim.host, pid: claim.pid } };
  const { push: _, ...change } = moveChange(
    { _id: id, pool },
    { to: 'running', due: [], now: running.timestamp },
    { set },
  );
  const both = { ...change, pushAll: { log: [scheduled, running] }, inc: { revision: 2 } };
  try {
    const expected = { status: WAITING, revision };
    const started =
      (await executions.change(id, expected, both)) ?? (await movedBefore({ executions }, id, running, claim));
    if (!started) {
      reservation.release();
      return undefined;
    }
    announce.movedOn(asScheduled(started), started);
    reservation.start({ ...started, claim });
    return started;
  } catch (error) {
    reservation.findOut(id);
    throw error;
  }
}

const WAITING: readonly Status[] = ['requested', 'delayed'];

/** The record between the two statuses that it entered with one write. */
function asScheduled({ claim: _, runner_info: __, ...started }: ExecutionRecord): ExecutionRecord {
  return {
    ...started,
    status: 'scheduled',
    due: ['action-runner'],
    revision: started.revision - 1,
    log: started.log.slice(0, -1),
  };
}

/**
 * The permits of this process: each allows it to store one execution of a pool as scheduled, without asking a scheduler first. Schedulers
 * give them out while no execution waits and slots are free. They expire soon, and are taken back when executions begin to wait.
 */
export interface Permits {
  /** Uses up a permit. @returns whether there was one */
  take(pool: string): boolean;
  /** Whether there is a permit. */
  has(pool: string): boolean;
  /** Drops the permits of a pool, because an execution waits. */
  drop(pool: string): void;
  /** Names this process to schedulers, once they can send it permits. */
  readonly requester: string | undefined;
  /** Call when a permit has been used. @returns what to tell a scheduler, once half of them are used up, so that more come in time */
  renewal(pool: string): PermitRenewal | undefined;
}

export interface PermitRenewal {
  /** The process. */
  readonly permitsFor: string;
  /** The permits that it still has. */
  readonly permitsLeft: number;
}

export interface PermitsDeps {
  bus: Pick<Bus, 'consume'>;
  clock: Clock;
  logger: { warn(message: string, fields?: Record<string, unknown>): void };
}

interface Held {
  count: number;
  /** How many there were when the last ones came. */
  readonly lot: number;
  readonly untilMs: number;
  /** Whether schedulers have been told that half of them are used up. */
  isReported: boolean;
}

const PREFETCH = 20;

/** Listens for permits from the first request on, so that processes that request nothing have no queue for them. */
export function createPermits({ bus, clock, logger }: PermitsDeps): Permits {
  const id = newId();
  const held = new Map<string, Held>();
  let listening: 'not yet' | 'starting' | 'yes' = 'not yet';

  const onPermits = ({ pool, count, valid_ms: validMs }: ReleasePermitsMessage) => {
    if (count === 0) held.delete(pool);
    else {
      const all = left(pool) + count;
      held.set(pool, { count: all, lot: all, untilMs: clock.monotonicMs() + validMs, isReported: false });
    }
    return Promise.resolve();
  };
  const listen = () => {
    listening = 'starting';
    bus.consume(permitQueue(id), { prefetch: PREFETCH, name: 'permits' }, onPermits).then(
      () => (listening = 'yes'),
      (error: unknown) => {
        listening = 'not yet';
        logger.warn('Cannot receive permits; schedulers release all executions.', { error: messageOf(error) });
      },
    );
  };
  const left = (pool: string): number => {
    const of = held.get(pool);
    return of && of.untilMs > clock.monotonicMs() ? of.count : 0;
  };
  const has = (pool: string): boolean => {
    if (listening === 'not yet') listen();
    return left(pool) > 0;
  };
  return {
    get requester() {
      return listening === 'yes' ? id : undefined;
    },
    take(pool) {
      if (!has(pool)) return false;
      held.get(pool)!.count -= 1;
      return true;
    },
    has,
    drop: (pool) => void held.delete(pool),
    renewal(pool) {
      const of = held.get(pool);
      if (!of || of.isReported || of.count > of.lot / 2) return undefined;
      of.isReported = true;
      return { permitsFor: id, permitsLeft: left(pool) };
    },
  };
}
