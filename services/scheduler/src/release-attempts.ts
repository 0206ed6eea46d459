import { SECOND_MS, type Clock, type Id } from '@switchyard/base';
import type { WaitingExecution } from '@switchyard/executions';

/**
 * Keeps the two ways to release an execution apart: a look at the backlog finds requests whose messages are on their way,
 * and those that are just being released on arrival. Each second attempt would cost two store calls.
 */
export interface ReleaseAttempts {
  /** Releases a request on arrival, unless a look has done it. */
  onArrival(waiting: WaitingExecution, release: () => Promise<void>): Promise<void>;
  /** Those that are being released on arrival. */
  arriving(): ReadonlySet<Id>;
  /** Notes that a look releases it. */
  inLook(waiting: Pick<WaitingExecution, '_id' | 'revision'>): void;
}

/** A message that is later than this costs a second attempt. */
const KNOWN_MS = SECOND_MS;

export function createReleaseAttempts(clock: Pick<Clock, 'monotonicMs'>): ReleaseAttempts {
  const arriving = new Set<Id>();
  /** The revisions at which they were released. One that was handed back has another, and is released again. */
  let recent = new Map<Id, number>();
  let former = recent;
  let sinceMs = -Infinity;
  return {
    async onArrival({ _id: id, revision }, release) {
      const released = recent.get(id) ?? former.get(id);
      if ((released !== undefined && released === revision) || arriving.has(id)) return;
      arriving.add(id);
      try {
        await release();
      } finally {
        arriving.delete(id);
      }
    },
    arriving: () => new Set(arriving),
    inLook({ _id: id, revision }) {
      const now = clock.monotonicMs();
      if (now - sinceMs >= KNOWN_MS) {
        [former, recent] = [recent, new Map<Id, number>()];
        sinceMs = now;
      }
      recent.set(id, revision);
    },
  };
}
