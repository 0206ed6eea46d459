import { isFault, messageOf, MS_MICROS, type Clock, type Micros } from '@switchyard/base';
import type { TimerRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import type { Logger, Metrics } from '@switchyard/telemetry';
import type { Dispatch } from '@switchyard/triggers';
import { planTick, type MisfireRule } from './plan-tick';
import { tickRequest, typeName } from './tick-request';
import type { Timer, TimerBook } from './timer-book';

export interface FireDeps {
  readonly store: Pick<Store, 'timers'>;
  readonly dispatch: Dispatch;
  readonly book: Pick<TimerBook, 'get'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  readonly metrics: Pick<Metrics, 'count' | 'time'>;
  readonly misfire: MisfireRule;
  /** Whether this process may still fire. */
  isHeld(): boolean;
}

const BATCH = 500;
const AT_A_TIME = 16;

/**
 * Fires what is due, at most one tick of each timer. The tick is stored first, under a key of its own, and the timer moved
 * on after that with a compare-and-set: whoever dies in between leaves a tick that is fired again under the same key, which
 * changes nothing.
 * @returns how many timers were moved on, and how many could not be
 */
export async function fireDue(deps: FireDeps, now: Micros): Promise<{ moved: number; stuck: number }> {
  const due = await deps.store.timers.due(now, BATCH);
  const outcome = { moved: 0, stuck: 0 };
  const queue = due[Symbol.iterator]();
  const work = async () => {
    for (const record of queue) {
      const moved = deps.isHeld() && (await fireGuarded(deps, record));
      outcome[moved ? 'moved' : 'stuck']++;
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_A_TIME, due.length) }, work));
  return outcome;
}

async function fireGuarded(deps: FireDeps, record: TimerRecord): Promise<boolean> {
  const timer = deps.book.get(record._id);
  // One that was just deleted, or that another process has entered: the next look at all of them knows.
  if (timer?.fingerprint !== record.fingerprint || record.due_at === undefined) return false;
  try {
    return await fire(deps, timer, { ...record, due_at: record.due_at });
  } catch (error) {
    deps.logger.warn('A timer could not be fired; trying again.', { trigger: record.trigger, error: messageOf(error) });
    return false;
  }
}

async function fire(deps: FireDeps, { trigger, schedule }: Timer, record: TimerRecord & { due_at: number }) {
  const { store, clock, logger, metrics, misfire } = deps;
  const { due_at: due } = record;
  const now = clock.nowMicros();
  const { fires, next } = planTick(schedule, due, now, misfire);
  const type = typeName(trigger.type);
  if (!fires) {
    logger.warn('A timer was due too long ago; it goes on without that.', {
      trigger: trigger.ref,
      ...times(due, next),
    });
    metrics.count('timers.missed.{type}', { type });
  } else if (await dispatched(deps, trigger, due, now)) {
    metrics.count('timers.fired.{type}', { type });
    metrics.time('timers.lateness', (now - due) / MS_MICROS);
  }
  return store.timers.advance(record, { next, now: clock.nowMicros(), ...(fires ? { fired: due } : {}) });
}

const iso = (micros: number | undefined) => (micros === undefined ? null : new Date(micros / MS_MICROS).toISOString());
const times = (due: number, next: number | undefined) => ({ due: iso(due), next: iso(next) });

/** @returns false when the tick is refused for good */
async function dispatched(
  { dispatch, logger }: FireDeps,
  trigger: Timer['trigger'],
  due: number,
  now: number,
): Promise<boolean> {
  try {
    await dispatch(tickRequest(trigger, due, now));
    return true;
  } catch (error) {
    if (!isFault(error) || error.status >= 500 || error.code.startsWith('storage.')) throw error;
    logger.warn('The tick of a timer was refused.', { trigger: trigger.ref, error: error.message });
    return false;
  }
}
