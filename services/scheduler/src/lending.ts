import { messageOf, SECOND_MS, type Clock } from '@switchyard/base';
import { releasePermits, type Publisher } from '@switchyard/messaging';
import type { Logger } from '@switchyard/telemetry';
import type { Room } from './capacity';

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
  lend(pool: string, requester: string): void;
  /** Revokes permits because executions wait. */
  takeBack(pool: string): void;
}

export function createLending({ room, publisher, clock, logger }: LendingDeps): Lending {
  /** By pool: the processes that may still have permits, and until when. */
  const lent = new Map<string, Map<string, number>>();
  const send = (pool: string, requester: string, count: number) => {
    publisher.publish(releasePermits({ requester, pool, count, valid_ms: VALID_MS })).catch((error: unknown) => {
      logger.warn('Failed to send permits.', { error: messageOf(error) });
    });
  };
  return {
    lend(pool, requester) {
      const count = room.lend(pool);
      if (count === 0) return;
      const borrowers = lent.get(pool) ?? new Map<string, number>();
      lent.set(pool, borrowers.set(requester, clock.monotonicMs() + VALID_MS));
      send(pool, requester, count);
    },
    takeBack(pool) {
      const borrowers = lent.get(pool);
      lent.delete(pool);
      const nowMs = clock.monotonicMs();
      for (const [requester, untilMs] of borrowers ?? []) if (untilMs > nowMs) send(pool, requester, 0);
    },
  };
}
