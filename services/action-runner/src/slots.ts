import { deferred, type Deferred } from '@switchyard/base';

/** Limits how many executions this process runs at a time. */
export interface Slots {
  /** Waits for a free slot up to the given time. @returns false when none became free */
  take(waitMs: number): Promise<boolean>;
  give(): void;
  /** Hands out no more slots; everybody who waits for one gets none. */
  close(): void;
  readonly used: number;
}

/** @param onUse called with the change in slots in use, one at a time */
export function createSlots(
  total: number,
  after: (delayMs: number, callback: () => void) => () => void,
  onUse: (more: 1 | -1) => void = () => undefined,
): Slots {
  let used = 0;
  let closed = false;
  const waiting = new Set<Deferred<boolean>>();
  const settle = (turn: Deferred<boolean>, got: boolean) => {
    waiting.delete(turn);
    turn.resolve(got);
  };
  const use = (more: 1 | -1) => {
    used += more;
    onUse(more);
  };
  return {
    get used() {
      return used;
    },
    take(waitMs) {
      if (closed) return Promise.resolve(false);
      if (used < total) {
        use(1);
        return Promise.resolve(true);
      }
      const turn = deferred<boolean>();
      waiting.add(turn);
      const stop = after(waitMs, () => settle(turn, false));
      void turn.promise.then(stop);
      return turn.promise;
    },
    give() {
      // The slot passes directly to the longest waiter.
      const [next] = waiting;
      if (next) settle(next, true);
      else use(-1);
    },
    close() {
      closed = true;
      for (const turn of [...waiting]) settle(turn, false);
    },
  };
}
