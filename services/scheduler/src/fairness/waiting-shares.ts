import type { Clock, Micros, Id } from '@switchyard/base';
import type { ExecutionRecords } from '@switchyard/executions';
import { type Share, shareParts, sharesEnd, type ExecutionRecord } from '@switchyard/model';

/** Only records of earlier versions lack it; they are treated like those of one more user. */
export const NO_SHARE = '';

/** Knows which queues of a pool have waiting executions. */
export interface WaitingShares {
  /**
   * The queues in which executions of a priority wait. If there are very many, each call returns a different part of
   * them.
   */
  of(pool: string, priority: number): Promise<ReadonlySet<Share>>;
  /** Reports that a queue is empty after all. */
  drop(pool: string, priority: number, share: Share): void;
  /** Reports that an execution has begun to wait: lists without its queue are rebuilt. */
  heard(pool: string, share: Share): void;
}

interface List extends FoundShares {
  readonly pool: string;
  atMs: number;
}

/** How long a list is used. */
const FRESH_MS = 250;
/** A list that took more queries than this is kept for its full time, even when new queues appear. */
const CHEAP_LOOKS = 32;
/** How long the starting point of the next list is remembered. */
const KEPT_MS = 10_000;

export function createWaitingShares(
  records: Pick<ExecutionRecords, 'nextShare' | 'backlogOf'>,
  clock: Clock,
): WaitingShares {
  const lists = new Map<string, List>();
  return {
    async of(pool, priority) {
      const key = keyOf(pool, priority);
      const nowMs = clock.monotonicMs();
      const known = lists.get(key);
      if (known && nowMs - known.atMs < FRESH_MS) return known.shares;
      for (const [other, { atMs }] of lists) if (nowMs - atMs > KEPT_MS) lists.delete(other);
      const found = await findShares(records, { pool, priority }, clock.nowMicros(), known);
      lists.set(key, { ...found, pool, atMs: nowMs });
      return found.shares;
    },
    drop: (pool, priority, share) => void lists.get(keyOf(pool, priority))?.shares.delete(share),
    heard(pool, share) {
      const nowMs = clock.monotonicMs();
      for (const list of lists.values())
        if (list.pool === pool && !list.shares.has(share) && list.looks <= CHEAP_LOOKS) list.atMs = nowMs - FRESH_MS;
    },
  };
}

const keyOf = (pool: string, priority: number): string => `${priority} ${pool}`;

interface FoundShares {
  readonly shares: Set<Share>;
  /** Number of queries. */
  readonly looks: number;
  /** Where the next search starts, so that it covers the users and trees that this one has left out. */
  readonly from: Share;
  readonly treesFrom: ReadonlyMap<string, Share>;
}

const MOST_USERS = 24;
const MOST_TREES_OF_USER = 8;

/**
 * Finds the queues in which executions of a priority wait, by a skip scan: it costs one query for each queue, however
 * many wait in it. @param before the previous search, if any
 */
async function findShares(
  records: Pick<ExecutionRecords, 'nextShare' | 'backlogOf'>,
  of: { pool: string; priority: number },
  now: Micros,
  before?: Pick<FoundShares, 'from' | 'treesFrom'>,
): Promise<FoundShares> {
  const shares = new Set<Share>();
  const treesFrom = new Map<string, Share>();
  let looks = 1;
  if ((await records.backlogOf({ ...of, share: undefined }, now, 1)).length > 0) shares.add(NO_SHARE);
  const next = async (after: Share, end?: Share): Promise<Share | undefined> => {
    looks += 1;
    const found = await records.nextShare(of, { after, ...(end === undefined ? {} : { before: end }) });
    if (found && found.schedule_at <= now) shares.add(found.share);
    return found?.share;
  };
  let from = before?.from ?? '';
  for (let users = 0; users < MOST_USERS; users++) {
    const first = await next(from);
    if (first === undefined) return { shares, looks, from: '', treesFrom };
    const { owner } = shareParts(first);
    from = sharesEnd(owner);
    const last = await lastTree(next, before?.treesFrom.get(owner) ?? first, from);
    if (last !== undefined) treesFrom.set(owner, last);
  }
  return { shares, looks, from, treesFrom };
}

/** @returns where the next search continues; undefined when it starts over */
async function lastTree(
  next: (after: Share, end: Share) => Promise<Share | undefined>,
  from: Share,
  end: Share,
): Promise<Share | undefined> {
  let after = from;
  for (let trees = 0; trees < MOST_TREES_OF_USER; trees++) {
    const share = await next(after, end);
    if (share === undefined) return undefined;
    after = share;
  }
  return after;
}

/** The queues of one priority, each ordered by time, read only as far as needed. */
export interface Queues {
  /** The queues whose first executions were already read. */
  readonly known: readonly Share[];
  /** @param ahead how many more may soon be taken from it @returns undefined when the queue is empty */
  take(share: Share, ahead: number): Promise<ExecutionRecord | undefined>;
}

interface Queue {
  readonly taken: Set<Id>;
  loaded: ExecutionRecord[];
  isWhole: boolean;
}

export function createQueues(
  records: Pick<ExecutionRecords, 'backlogOf'>,
  { pool, priority, known, now }: { pool: string; priority: number; known: readonly ExecutionRecord[]; now: Micros },
): Queues {
  const queues = new Map<Share, Queue>();
  const queueOf = (share: Share): Queue => {
    const queue = queues.get(share) ?? { taken: new Set(), loaded: [], isWhole: false };
    queues.set(share, queue);
    return queue;
  };
  for (const record of known) if (record.priority === priority) queueOf(record.share ?? NO_SHARE).loaded.push(record);

  async function readOn(share: Share, queue: Queue, ahead: number): Promise<void> {
    const limit = queue.taken.size + ahead;
    const of = { pool, priority, share: share === NO_SHARE ? undefined : share };
    const found = await records.backlogOf(of, now, limit);
    queue.isWhole = found.length < limit;
    queue.loaded = found.filter(({ _id }) => !queue.taken.has(_id));
  }

  return {
    known: [...queues.keys()],
    async take(share, ahead) {
      const queue = queueOf(share);
      if (queue.loaded.length === 0 && !queue.isWhole) await readOn(share, queue, Math.max(1, ahead));
      const record = queue.loaded.shift();
      if (record) queue.taken.add(record._id);
      return record;
    },
  };
}
