import { SECOND_MICROS, type Micros } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import type { TimerSchedule } from '@switchyard/triggers';

export interface MisfireRule {
  readonly policy: Config['timersengine']['misfire'];
  /** Age at which a tick is too old to be made up for. */
  readonly grace: Micros;
}

/** What is done about a tick whose time has come: it is fired or given up, and `next` is the one after that. */
export interface TickPlan {
  readonly fires: boolean;
  readonly next: Micros | undefined;
}

/** No process is more punctual than that. */
const PUNCTUAL: Micros = SECOND_MICROS;

/**
 * A tick that comes late, after a fail-over or while no timers service ran:
 *
 * - `fire_all`: it is fired and so are those after it, one by one, as far as they are not older than the grace.
 * - `fire_once`: the first that is not older than the grace stands for all of them.
 * - `skip`: nothing that is more than a second late is fired.
 */
export function planTick(schedule: TimerSchedule, due: Micros, now: Micros, rule: MisfireRule): TickPlan {
  const late = now - due;
  const grace = rule.policy === 'skip' ? PUNCTUAL : Math.max(rule.grace, PUNCTUAL);
  if (late > grace) return { fires: false, next: schedule.next(rule.policy === 'skip' ? now : now - grace) };
  return { fires: true, next: schedule.next(rule.policy === 'fire_all' ? due : Math.max(due, now)) };
}
