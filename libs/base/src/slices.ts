/** How long divided work may take in a turn of the event loop, all of it together. */
const DIVIDED_MS = 8;
/** Work that has taken less in this turn goes on in any case, so that short work never waits. */
const SHORT_MS = 1;

/** Divides one piece of long work on the main thread into slices. */
export interface Slices {
  /** Whether the work should stop for this turn. Loops with many short steps ask before they call `next`. */
  isOver(): boolean;
  /** Resolves at once while this turn has time left. Otherwise other work gets a turn first. */
  next(): Promise<void>;
  /** Always gives other work a turn first, before a step that takes a whole slice. */
  pause(): Promise<void>;
}

export interface SlicedTurns {
  slices(): Slices;
  /** Calls a function in the next turn, before divided work continues. If it takes long, divided work waits for the turn after it. */
  nextTurn(job: () => void): void;
}

/**
 * All divided work of a thread shares the turns of the event loop: what has to wait continues in order, one piece of work a turn. So a
 * turn stays short however many requests, executions and workflows are at work at the same time. Work that waits for the first time
 * takes every other turn: it may be short, and need not wait until everything long has had its turn.
 */
export function createSlicedTurns(nowMs: () => number): SlicedTurns {
  const jobs: (() => void)[] = [];
  const first: (() => void)[] = [];
  const others: (() => void)[] = [];
  let turn = 0;
  /** When divided work has to stop in this turn; undefined until some work asks. */
  let endMs: number | undefined;
  let wasLong = false;
  const begin = (): number => {
    turn += 1;
    setImmediate(end);
    return (endMs = nowMs() + DIVIDED_MS);
  };
  const end = () => {
    endMs = undefined;
    const isWaiting = first.length + others.length > 0;
    if (jobs.length === 0 && !isWaiting) return;
    const untilMs = begin();
    if (!(wasLong && isWaiting)) {
      for (const job of jobs.splice(0)) job();
      wasLong = nowMs() >= untilMs;
      if (wasLong) return;
    }
    wasLong = false;
    const [queue, other] = turn % 2 === 0 ? [first, others] : [others, first];
    (queue.shift() ?? other.shift())?.();
  };
  return {
    slices() {
      let queue = first;
      let inTurn = turn;
      let sinceMs = nowMs();
      const isOver = () => {
        const now = nowMs();
        const turnEndMs = endMs ?? begin();
        if (inTurn !== turn) [inTurn, sinceMs] = [turn, now];
        return now >= turnEndMs && now - sinceMs >= SHORT_MS;
      };
      const pause = (): Promise<void> => {
        if (endMs === undefined) begin();
        const waiting = new Promise<void>((resolve) =>
          queue.push(() => {
            [inTurn, sinceMs] = [turn, nowMs()];
            resolve();
          }),
        );
        queue = others;
        return waiting;
      };
      return { isOver, pause, next: () => (isOver() ? pause() : Promise.resolve()) };
    },
    nextTurn(job) {
      if (endMs === undefined) begin();
      jobs.push(job);
    },
  };
}

export const { slices, nextTurn } = createSlicedTurns(() => performance.now());
