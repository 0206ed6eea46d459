import { SECOND_MS, type Clock, type Id } from '@switchyard/base';
import type { WaitingExecution } from '@switchyard/executions';

/**
 * Keeps the two ways to release an execution apart. A look at the backlog finds requests whose messages are on their way:
 * each second attempt would cost two store calls. And it counts the used slots, so it must not begin during a release on arrival.
 */
export interface ReleaseAttempts {
  /** Releases a request on arrival, unless a look has done it. */
  onArrival(waiting: WaitingExecution, release: () => Promise<void>): Promise<void>;
  /** Waits for the end of those releases on arrival that are under way, whether they succeed or fail. */
  arrivalsEnded(): Promise<void>;
  /** Notes that a look releases it. */
  inLook(waiting: Pick<WaitingExecution, '_id' | 'revision'>): void;
}

/** A message that is later than this costs a second attempt. */
const KNOWN_MS = SECOND_MS;

export function createReleaseAttempts(clock: Pick<Clock, 'monotonicMs'>): ReleaseAttempts {
  const arriving = new Map<Id, Promise<void>>();
  /** The revisions at which they were released. One that was handed back has another, and is released again. */
  let recent = new Map<Id, number>();
  let former = recent;
  let sinceMs = -Infinity;
  return {
    async onArrival({ _id: id, revision }, release) {
      const released = recent.get(id) ?? former.get(id);
      if ((released !== undefined && released === revision) || arriving.has(id)) return;
      const releasing = release().finally(() => arriving.delete(id));
      arriving.set(id, releasing);
      await releasing;
    },
    async arrivalsEnded() {
      await Promise.allSettled(arriving.values());
    },
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
