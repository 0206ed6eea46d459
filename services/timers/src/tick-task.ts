import { messageOf, MS_MICROS, SECOND_MICROS, SECOND_MS, type Clock, type Micros } from '@switchyard/base';
import { createTask, type Task } from '@switchyard/host';
import type { Logger } from '@switchyard/telemetry';
import { fireDueTimers, type FireDeps } from './fire-due';
import type { TimerBook } from './timer-book';

export interface TickTaskDeps extends FireDeps {
  readonly book: Pick<TimerBook, 'get' | 'isComplete'>;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
  /** Called once when the wall clock was set back. */
  onSetBack(): void;
}

/** Waiting uses a monotonic clock, due times use a wall clock that may jump. This is how soon a jump is noticed. */
const RECHECK_MS = 2 * SECOND_MS;
const RETRY_MS = SECOND_MS;
/** Less is a correction, which only delays the next ticks a little. */
const SET_BACK: Micros = SECOND_MICROS;
/** Timers of the runtime may fire early by a fraction of this. */
const LEAST_WAIT_MS = 5;

/** Fires due timers while this process is the leader, and wakes for the next one. */
export function createTickTask(deps: TickTaskDeps): Task {
  const { store, clock, logger, book, isHeld } = deps;
  const wasSetBack = createSetBackCheck(clock);
  const ticks = createTask({
    clock,
    everyMs: RECHECK_MS,
    onError: (error) => logger.error('Failed to fire timers; retrying.', { error: messageOf(error) }),
    async run() {
      if (wasSetBack()) deps.onSetBack();
      if (!isHeld() || !book.isComplete) return;
      const asked = clock.nowMicros();
      const first = await store.timers.nextDue(0);
      if (first === undefined) return;
      if (first > asked) return waitFor(first);
      const { moved, stuck } = await fireDueTimers(deps, asked);
      // Include what became due while it fired.
      const next = await store.timers.nextDue(asked);
      if (moved > 0) ticks.wake();
      if (stuck > 0) ticks.wakeIn(RETRY_MS);
      if (next !== undefined) waitFor(next);
    },
  });
  const waitFor = (next: Micros) => {
    const waitMs = (next - clock.nowMicros()) / MS_MICROS;
    if (waitMs <= 0) ticks.wake();
    else ticks.wakeIn(Math.min(RECHECK_MS, Math.max(LEAST_WAIT_MS, waitMs)));
  };
  return ticks;
}

/** @returns whether the wall clock was set back since the last call */
function createSetBackCheck(clock: Pick<Clock, 'nowMicros' | 'monotonicMs'>): () => boolean {
  const ahead = (): Micros => clock.nowMicros() - clock.monotonicMs() * MS_MICROS;
  let before = ahead();
  return () => {
    const now = ahead();
    const wasSetBack = now <= before - SET_BACK;
    before = now;
    return wasSetBack;
  };
}
