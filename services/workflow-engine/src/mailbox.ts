import { deferred, type Deferred } from '@switchyard/base';

/** Processes the events of each run one batch at a time. Events that arrive during a turn wait for the next one. */
export interface Mailbox<N> {
  /** Resolves when the turn that processed the event has ended; rejects with the error of that turn. */
  post(key: string, event: N): Promise<void>;
  /** How many events wait for the next turn. */
  waiting(key: string): number;
  /** Resolves when no turn is in progress. */
  idle(): Promise<void>;
}

interface QueuedEvent<N> {
  event: N;
  processed: Deferred<void>;
}

export function createMailbox<N>(take: (key: string, events: readonly N[]) => Promise<void>): Mailbox<N> {
  const waiting = new Map<string, QueuedEvent<N>[]>();
  const working = new Map<string, Promise<void>>();

  async function work(key: string): Promise<void> {
    for (let queued = waiting.get(key); queued; queued = waiting.get(key)) {
      waiting.delete(key);
      try {
        await take(
          key,
          queued.map(({ event }) => event),
        );
        for (const { processed } of queued) processed.resolve();
      } catch (error) {
        for (const { processed } of queued) processed.reject(error);
      }
    }
    working.delete(key);
  }

  return {
    post(key, event) {
      const processed = deferred();
      const queued = waiting.get(key);
      if (queued) queued.push({ event, processed });
      else waiting.set(key, [{ event, processed }]);
      if (!working.has(key))
        working.set(
          key,
          Promise.resolve().then(() => work(key)),
        );
      return processed.promise;
    },
    waiting: (key) => waiting.get(key)?.length ?? 0,
    async idle() {
      while (working.size > 0) await Promise.all(working.values());
    },
  };
}
