import type { Clock } from '@switchyard/base';
import type { Share } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import { findShares, type FoundShares } from './find-shares';

/** Which queues of a pool wait. */
export interface WaitingShares {
  /** Those in which executions of a priority wait; where there are very many, some of them, and others the next time. */
  of(pool: string, priority: number): Promise<ReadonlySet<Share>>;
  /** Nobody waits in a queue after all. */
  drop(pool: string, priority: number, share: Share): void;
  /** Somebody has begun to wait: lists without that queue are made anew. */
  heard(pool: string, share: Share): void;
}

interface List extends FoundShares {
  readonly pool: string;
  atMs: number;
}

/** A list is used for so long. */
const FRESH_MS = 250;
/** One that took more looks than this is used for its time, whoever comes. */
const CHEAP_LOOKS = 32;
/** So long it is known where the next list goes on. */
const KEPT_MS = 10_000;

export function createWaitingShares({ executions }: Pick<Store, 'executions'>, clock: Clock): WaitingShares {
  const lists = new Map<string, List>();
  return {
    async of(pool, priority) {
      const key = keyOf(pool, priority);
      const nowMs = clock.monotonicMs();
      const known = lists.get(key);
      if (known && nowMs - known.atMs < FRESH_MS) return known.shares;
      for (const [other, { atMs }] of lists) if (nowMs - atMs > KEPT_MS) lists.delete(other);
      const found = await findShares(executions, { pool, priority }, clock.nowMicros(), known);
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
