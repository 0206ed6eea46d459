import { MS_MICROS, isFault, messageOf, microsToIso, type Clock, type Micros } from '@switchyard/base';
import type { TimerRecord, TriggerRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import type { Logger, Metrics } from '@switchyard/telemetry';
import { timerTag, type Dispatch, type DispatchRequest } from '@switchyard/triggers';
import { planTick, type MisfireRule } from './plan-tick';
import type { BookedTimer, TimerBook } from './timer-book';

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
 * Fires what is due, at most one tick of each timer. Each tick is first stored under its own key; then the timer is
 * advanced with a compare-and-set. If the process dies in between, the tick is fired again under the same key, which
 * has no effect. @returns the numbers of timers that were advanced and that could not be advanced
 */
export async function fireDueTimers(deps: FireDeps, now: Micros): Promise<{ moved: number; stuck: number }> {
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
  // The timer was just deleted, or another process has entered it. The next sweep finds out.
  if (timer?.fingerprint !== record.fingerprint || record.due_at === undefined) return false;
  try {
    return await fire(deps, timer, { ...record, due_at: record.due_at });
  } catch (error) {
    deps.logger.warn('Failed to fire a timer; retrying.', { trigger: record.trigger, error: messageOf(error) });
    return false;
  }
}

async function fire(deps: FireDeps, { trigger, schedule }: BookedTimer, record: TimerRecord & { due_at: number }) {
  const { store, clock, logger, metrics, misfire } = deps;
  const { due_at: due } = record;
  const now = clock.nowMicros();
  // The clock was set back since the timer was due. The reader starts intervals again.
  if (due > now) return false;
  const { fires, next } = planTick(schedule, due, now, misfire);
  const type = timerTypeName(trigger.type);
  if (!fires) {
    logger.warn('Skipped a timer that was due too long ago.', {
      trigger: trigger.ref,
      ...times(due, next),
    });
    metrics.count('timers.missed.{type}', { type });
  } else if (await dispatched(deps, trigger, due, now)) {
    metrics.count('timers.fired.{type}', { type });
    metrics.time('timers.lateness', (now - due) / MS_MICROS);
  }
  // If the clock is set back meanwhile, the record shows by this time that it was written before.
  return store.timers.advance(record, { next, now, ...(fires ? { fired: due } : {}) });
}

const iso = (micros: number | undefined) => (micros === undefined ? null : new Date(micros / MS_MICROS).toISOString());
const times = (due: number, next: number | undefined) => ({ due: iso(due), next: iso(next) });

/** @returns false when the tick is permanently refused */
async function dispatched(
  { dispatch, logger }: FireDeps,
  trigger: BookedTimer['trigger'],
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

/**
 * The trigger instance of a tick. Its key contains its due time, so a process that fires it again after a fail-over
 * finds that it has already been fired.
 */
const tickRequest = (
  { _id, ref, type, name, parameters }: TriggerRecord,
  due: Micros,
  now: Micros,
): DispatchRequest => ({
  trigger: ref,
  payload: { executed_at: spaced(now), schedule: parameters },
  traceContext: { trace_tag: timerTag(type, name) },
  requestKey: `timer:${_id}:${due}`,
  // This code builds the payload itself, so it needs no check.
  validate: false,
});

/** `2030-01-02 03:04:05.678901+00:00`: the format of times in payloads of timers, as in the reference. */
const spaced = (micros: Micros): string => microsToIso(micros).replace('T', ' ').replace('Z', '+00:00');

/** `IntervalTimer` for `core.st2.IntervalTimer`. */
const timerTypeName = (type: string): string => type.slice(type.lastIndexOf('.') + 1);
