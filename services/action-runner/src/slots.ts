import { deferred, type Deferred } from '@switchyard/base';

/** How many executions this process runs at a time. */
export interface Slots {
  /** Waits for a free slot, at most so long. @returns false when none became free */
  take(waitMs: number): Promise<boolean>;
  give(): void;
  readonly used: number;
}

export function createSlots(total: number, after: (delayMs: number, callback: () => void) => () => void): Slots {
  let used = 0;
  const waiting: Deferred<boolean>[] = [];
  return {
    get used() {
      return used;
    },
    take(waitMs) {
      if (used < total) {
        used++;
        return Promise.resolve(true);
      }
      const turn = deferred<boolean>();
      waiting.push(turn);
      const stop = after(waitMs, () => {
        waiting.splice(waiting.indexOf(turn), 1);
        turn.resolve(false);
      });
      void turn.promise.then(stop);
      return turn.promise;
    },
    give() {
      // The slot passes straight to whoever waits longest.
      const next = waiting.shift();
      if (next) next.resolve(true);
      else used--;
    },
  };
}
