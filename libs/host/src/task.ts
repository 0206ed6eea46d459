import type { Clock } from '@switchyard/base';

/** Repeated work. Two runs never overlap; a call during a run causes one more run after it. */
export interface Task {
  /** Runs soon. Any number of calls during a run cause one further run. */
  wake(): void;
  /** Runs after a delay unless something wakes it sooner. */
  wakeIn(delayMs: number): void;
  /** Prevents further runs; resolves when the current one has ended. */
  stop(): Promise<void>;
}

export interface TaskOptions {
  clock: Clock;
  run: () => Promise<void>;
  /**
   * Interval at which the task repeats by itself: at multiples of it, so that the tasks of a process wake it together.
   * After a run, it waits for at least a quarter of the interval.
   */
  everyMs?: number;
  onError: (error: unknown) => void;
}

export function createTask({ clock, run, everyMs, onError }: TaskOptions): Task {
  let running: Promise<void> | undefined;
  let again = false;
  let stopped = false;
  let timer: { cancel: () => void; atMs: number } | undefined;

  const rounds = async () => {
    do {
      again = false;
      try {
        await run();
      } catch (error) {
        onError(error);
      }
    } while (again && !stopped);
    running = undefined;
    if (everyMs !== undefined) wakeIn(untilNextMultiple(clock, everyMs, everyMs / 4));
  };
  const wake = () => {
    if (stopped) return;
    if (running) again = true;
    else running = Promise.resolve().then(rounds);
  };
  const wakeIn = (delayMs: number) => {
    const atMs = clock.monotonicMs() + delayMs;
    if (stopped || (timer && timer.atMs <= atMs)) return;
    timer?.cancel();
    const cancel = clock.after(delayMs, () => {
      timer = undefined;
      wake();
    });
    timer = { cancel, atMs };
  };
  return {
    wake,
    wakeIn,
    async stop() {
      stopped = true;
      timer?.cancel();
      await running;
    },
  };
}

/**
 * The time until the clock reaches a multiple of an interval, at least `leastMs` from now. An idle process spends most
 * of its processor time on waking up, so repeated work should wake it at the same times.
 */
export function untilNextMultiple(clock: Pick<Clock, 'monotonicMs'>, everyMs: number, leastMs: number): number {
  const restMs = everyMs - (clock.monotonicMs() % everyMs);
  return Math.ceil(restMs < leastMs ? restMs + everyMs : restMs);
}
