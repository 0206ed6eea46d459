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

/** @param onUse is told how many more are in use, one at a time */
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
      // The slot passes straight to whoever waits longest.
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
