import type { Clock } from '@switchyard/base';
import type { ExecutionRecords } from '@switchyard/executions';
import type { Share } from '@switchyard/model';
import { findShares, type FoundShares } from './find-shares';

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
