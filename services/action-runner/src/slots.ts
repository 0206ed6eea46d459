import { deferred, type Deferred } from '@switchyard/base';

/** How many executions this process runs at a time. */
export interface Slots {
  /** Waits for a free slot, at most so long. @returns false when none became free */
  take(waitMs: number): Promise<boolean>;
  give(): void;
  /** Gives out no more slots; whoever waits for one goes away without. */
  close(): void;
  readonly used: number;
}

export function createSlots(total: number, after: (delayMs: number, callback: () => void) => () => void): Slots {
  let used = 0;
  let closed = false;
  const waiting = new Set<Deferred<boolean>>();
  const settle = (turn: Deferred<boolean>, got: boolean) => {
    waiting.delete(turn);
    turn.resolve(got);
  };
  return {
    get used() {
      return used;
    },
    take(waitMs) {
      if (closed) return Promise.resolve(false);
      if (used < total) {
        used++;
        return Promise.resolve(true);
      }
      const turn = deferred<boolean>();
      waiting.add(turn);
      const stop = after(waitMs, () => settle(turn, false));
      void turn.promise.then(stop);
      return turn.promise;
    },
    give() {
      // The slot passes straight to whoever waits longest.
      const [next] = waiting;
      if (next) settle(next, true);
      else used--;
    },
    close() {
      closed = true;
      for (const turn of [...waiting]) settle(turn, false);
    },
  };
}
