import { SECOND_MICROS, type Micros } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import type { TimerSchedule } from '@switchyard/triggers';

export interface MisfireRule {
  readonly policy: Config['timersengine']['misfire'];
  /** The age at which a late tick is no longer fired. */
  readonly grace: Micros;
}

/** The decision about a due tick: whether it fires, and when the next one is due. */
export interface TickPlan {
  readonly fires: boolean;
  readonly next: Micros | undefined;
}

/** Processes cannot be more punctual than this. */
const PUNCTUAL: Micros = SECOND_MICROS;

/**
 * Decides about a tick that is late, after a fail-over or while no timers service ran:
 *
 * - `fire_all`: it fires, and so do those after it, one by one, unless they are older than the grace period.
 * - `fire_once`: the first tick that is not older than the grace period stands for all of them.
 * - `skip`: no tick fires that is more than a second late.
 */
export function planTick(schedule: TimerSchedule, due: Micros, now: Micros, rule: MisfireRule): TickPlan {
  const late = now - due;
  const grace = rule.policy === 'skip' ? PUNCTUAL : Math.max(rule.grace, PUNCTUAL);
  if (late > grace) return { fires: false, next: schedule.next(rule.policy === 'skip' ? now : now - grace) };
  return { fires: true, next: schedule.next(rule.policy === 'fire_all' ? due : Math.max(due, now)) };
}
