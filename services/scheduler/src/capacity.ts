import { messageOf, MS_MICROS, SECOND_MS, type Clock, type Micros } from '@switchyard/base';
import { WORKFLOW_POOL, type ExecutionRecords } from '@switchyard/executions';
import type { InstanceObserver } from '@switchyard/host';
import { releasePermits, type Publisher } from '@switchyard/messaging';
import type { Logger } from '@switchyard/telemetry';

/** The capacity of the living action runners and workflow engines. */
export interface Capacity {
  /** How many executions a pool's runners can run at once, and how many more may be queued for them. */
  of(pool: string): Promise<{ slots: number; ahead: number }>;
  pools(): Promise<string[]>;
}

/** Maximum age of a result: runners change rarely, executions hundreds of times a second. */
const FRESH_MS = 500;
/**
 * One slot in this many gets an execution ahead of time, so that a runner with a free slot has its next execution at
 * once.
 */
const AHEAD = 4;
/**
 * This many workflows may be on their way to an engine. An engine runs any number of them; the others wait where they
 * can still be reordered.
 */
const ON_THE_WAY_PER_ENGINE = 50;

export function createCapacity(observer: InstanceObserver, clock: Clock): Capacity {
  let known: { readonly pools: Promise<ReadonlyMap<string, number>>; readonly atMs: number } | undefined;
  const readPools = async (): Promise<ReadonlyMap<string, number>> => {
    const pools = new Map<string, number>();
    const alive = await observer.aliveOf('action-runner', 'workflow-engine');
    for (const { slots = 0, pools: names = [] } of alive)
      for (const name of names) pools.set(name, (pools.get(name) ?? 0) + slots);
    const engines = alive.filter(({ service }) => service === 'workflow-engine').length;
    pools.set(WORKFLOW_POOL, ON_THE_WAY_PER_ENGINE * Math.max(1, engines));
    return pools;
  };
  /** Messages that arrive together share a read. */
  const read = (): Promise<ReadonlyMap<string, number>> => {
    const now = clock.monotonicMs();
    if (known && now - known.atMs < FRESH_MS) return known.pools;
    const reading = { pools: readPools(), atMs: now };
    reading.pools.catch(() => known === reading && (known = undefined));
    known = reading;
    return reading.pools;
  };
  return {
    async of(pool) {
      const slots = (await read()).get(pool) ?? 0;
      return { slots, ahead: pool === WORKFLOW_POOL ? 0 : Math.ceil(slots / AHEAD) };
    },
    pools: async () => [...(await read()).keys()],
  };
}

/**
 * The number of requests that may be released on arrival, without a look at the backlog. While nothing else waits,
 * their order cannot be wrong. Each look sets the number, which only decreases until the next look.
 */
export interface Room {
  /** Uses up the room for one execution in a pool. @returns whether there was any */
  take(pool: string): boolean;
  /** Uses up the remaining room in a pool, for permits. @returns the number of executions */
  lend(pool: string): number;
  /** Records a look at the backlog: the room that is left, or that executions still wait. */
  found(pool: string, free: number): void;
  /** Releases nothing past the backlog until the next look. */
  close(pool: string): void;
}

/** Another scheduler sees the same free slots, so each takes only part of them. */
const SHARE = 2;

export function createRoom(): Room {
  const left = new Map<string, number>();
  return {
    take(pool) {
      const count = left.get(pool) ?? 0;
      if (count > 0) left.set(pool, count - 1);
      return count > 0;
    },
    lend(pool) {
      const count = left.get(pool) ?? 0;
      left.delete(pool);
      return count;
    },
    found: (pool, free) => void left.set(pool, Math.max(0, Math.floor(free / SHARE))),
    close: (pool) => void left.delete(pool),
  };
}

/** The times at which executions with a delay become due. */
export interface DueTimes {
  /** The time of the next one of a pool. */
  next(pool: string, now: Micros): Promise<Micros | undefined>;
  /** Call when an execution gets a delay. */
  forget(): void;
}

/** An execution whose message was lost may be found that much later. */
const DUE_KNOWN_MS = SECOND_MS;

/** Looks at the backlog are frequent, delays are not. */
export function createDueTimes(
  records: Pick<ExecutionRecords, 'nextDue'>,
  clock: Pick<Clock, 'monotonicMs'>,
): DueTimes {
  let known = new Map<string, { readonly at: Micros | undefined; readonly readAtMs: number }>();
  return {
    async next(pool, now) {
      const before = known.get(pool);
      const isFresh = before !== undefined && clock.monotonicMs() - before.readAtMs < DUE_KNOWN_MS;
      if (isFresh && (before.at === undefined || before.at > now)) return before.at;
      const found = known;
      const readAtMs = clock.monotonicMs();
      const at = await records.nextDue(pool, now);
      found.set(pool, { at, readAtMs });
      return at;
    },
    // A query that is under way may not see the delay, so its result is not kept.
    forget: () => void (known = new Map()),
  };
}

/** If permits expire too early, requests lose the shortcut; if too late, they may be used when no slots are free. */
const VALID_MS = 10 * SECOND_MS;

interface LendingDeps {
  room: Pick<Room, 'lend'>;
  publisher: Publisher;
  clock: Clock;
  logger: Pick<Logger, 'warn'>;
}

/**
 * Lends the room of a pool to processes that request executions, as permits. Each permit uses up room until the next look at the
 * backlog, like a release past the backlog by this scheduler.
 */
export interface Lending {
  /** Notes that a process would use permits. @param left how many it still has */
  note(pool: string, requester: string, left: number): void;
  /** Divides the room, if there is any, among the processes that have been noted. What they still have counts. */
  lend(pool: string): void;
  /** Revokes permits because executions wait. */
  takeBack(pool: string): void;
}

export function createLending({ room, publisher, clock, logger }: LendingDeps): Lending {
  /** By pool: the processes that may still have permits, and until when. */
  const lent = new Map<string, Map<string, number>>();
  /** By pool: the processes that would use permits, and how many they still have. */
  const noted = new Map<string, Map<string, number>>();
  const send = (pool: string, requester: string, count: number) => {
    publisher.publish(releasePermits({ requester, pool, count, valid_ms: VALID_MS })).catch((error: unknown) => {
      logger.warn('Failed to send permits.', { error: messageOf(error) });
    });
  };
  return {
    note(pool, requester, left) {
      const asking = noted.get(pool) ?? new Map<string, number>();
      noted.set(pool, asking.set(requester, left));
    },
    lend(pool) {
      const asking = noted.get(pool) ?? new Map<string, number>();
      const most = asking.size === 0 ? 0 : Math.floor(room.lend(pool) / asking.size);
      if (most === 0) return;
      noted.delete(pool);
      const borrowers = lent.get(pool) ?? new Map<string, number>();
      lent.set(pool, borrowers);
      for (const [requester, left] of asking) {
        if (left >= most) continue;
        borrowers.set(requester, clock.monotonicMs() + VALID_MS);
        send(pool, requester, most - left);
      }
    },
    takeBack(pool) {
      const borrowers = lent.get(pool);
      lent.delete(pool);
      noted.delete(pool);
      const nowMs = clock.monotonicMs();
      for (const [requester, untilMs] of borrowers ?? []) if (untilMs > nowMs) send(pool, requester, 0);
    },
  };
}

/**
 * The number of released executions that count towards the limit of their pool. Actions hold a slot until they end, which the store
 * records. Workflows count only until an engine begins them.
 */
export interface OnTheWay {
  count(pool: string): Promise<number>;
  /** Call when an execution of the pool was released. */
  note(pool: string): void;
}

/** A workflow that no engine has begun by then no longer counts, so that it does not block others. */
const LONGEST_MS = 5 * SECOND_MS;

export function createOnTheWay(
  records: Pick<ExecutionRecords, 'countActive' | 'countHandedOver'>,
  clock: Pick<Clock, 'monotonicMs' | 'nowMicros'>,
): OnTheWay {
  /** Until then, workflows may be on their way that were released here or with permits from here. */
  let untilMs = -Infinity;
  return {
    async count(pool) {
      if (pool !== WORKFLOW_POOL) return records.countActive(pool);
      if (clock.monotonicMs() > untilMs) return 0;
      return records.countHandedOver('workflow-engine', pool, clock.nowMicros() - LONGEST_MS * MS_MICROS);
    },
    note(pool) {
      if (pool === WORKFLOW_POOL) untilMs = clock.monotonicMs() + VALID_MS + LONGEST_MS;
    },
  };
}
