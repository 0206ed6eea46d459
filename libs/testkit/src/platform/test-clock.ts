import { systemClock, type Clock } from '@switchyard/base';

/** The system's time, with timers that can be counted and held. */
export interface TestClock extends Clock {
  /** Timers that have neither fired nor been canceled. */
  readonly pending: number;
  /** Holds every timer that becomes due, as if the process had been stopped (SIGSTOP). Time continues. */
  freeze(): void;
  /** Fires the timers that have become due in between, and no longer holds timers. */
  thaw(): void;
}

export function testClock(): TestClock {
  const clock = systemClock();
  const pending = new Set<object>();
  let held: (() => void)[] | undefined;
  return {
    nowMicros: clock.nowMicros,
    turnMicros: clock.turnMicros,
    monotonicMs: clock.monotonicMs,
    get pending() {
      return pending.size;
    },
    after(delayMs, callback) {
      const timer = {};
      pending.add(timer);
      const fire = () => {
        if (held) held.push(fire);
        else if (pending.delete(timer)) callback();
      };
      const cancel = clock.after(delayMs, fire);
      return () => {
        pending.delete(timer);
        cancel();
      };
    },
    freeze() {
      held ??= [];
    },
    thaw() {
      const due = held ?? [];
      held = undefined;
      for (const fire of due) fire();
    },
  };
}

/** A clock that stands still until the test advances it. Timers fire in order while it advances. */
export interface HandClock extends Clock {
  advance(byMs: number): void;
  /** Sets only the wall clock: the monotonic clock and timers do not notice. */
  setWallClock(byMs: number): void;
  readonly pending: number;
}

export function handClock(startMs = Date.UTC(2030, 0, 1)): HandClock {
  let ms = startMs;
  let wallOffsetMs = 0;
  const timers = new Set<{ atMs: number; callback: () => void }>();
  const nextBefore = (limit: number) =>
    [...timers].filter(({ atMs }) => atMs <= limit).sort((a, b) => a.atMs - b.atMs)[0];
  const nowMicros = () => Math.round((ms + wallOffsetMs) * 1000);
  return {
    nowMicros,
    turnMicros: nowMicros,
    monotonicMs: () => ms - startMs,
    get pending() {
      return timers.size;
    },
    after(delayMs, callback) {
      const timer = { atMs: ms + delayMs, callback };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance(byMs) {
      const end = ms + byMs;
      for (let next = nextBefore(end); next; next = nextBefore(end)) {
        timers.delete(next);
        ms = Math.max(ms, next.atMs);
        next.callback();
      }
      ms = end;
    },
    setWallClock(byMs) {
      wallOffsetMs += byMs;
    },
  };
}
