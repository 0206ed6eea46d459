import { DAY_MS, SECOND_MS } from '@switchyard/base';
import type { CronPlan } from './cron-plan';
import type { WallMs } from './zone';

const LAST_YEAR = 9999;
/** The calendar repeats itself after so many years: what has not come by then never comes. */
const CYCLE_YEARS = 400;

/**
 * The first reading of the wall clock, from `from` on, that fits every field.
 * @param from on a full second
 */
export function nextMatch(plan: CronPlan, from: WallMs): WallMs | undefined {
  const today = Math.floor(from / DAY_MS) * DAY_MS;
  for (const day of daysFrom(plan, today)) {
    const seconds = timeFrom(plan, day === today ? (from - today) / SECOND_MS : 0);
    if (seconds !== undefined) return day + seconds * SECOND_MS;
  }
  return undefined;
}

/** The days that fit, each as its midnight. */
function* daysFrom(plan: CronPlan, today: WallMs): Generator<WallMs> {
  const start = new Date(today);
  for (const year of yearsFrom(plan, start.getUTCFullYear()))
    for (const month of plan.months) {
      const daysInMonth = new Date(Date.UTC(year, month, 0)).getUTCDate();
      const first = Date.UTC(year, month - 1, 1);
      if (first + daysInMonth * DAY_MS <= today) continue;
      for (let day = first < today ? start.getUTCDate() : 1; day <= daysInMonth; day++)
        if (plan.hasDay({ year, month, day, daysInMonth })) yield first + (day - 1) * DAY_MS;
    }
}

function* yearsFrom({ hasYear }: CronPlan, start: number): Generator<number> {
  let tried = 0;
  for (let year = start; year <= LAST_YEAR && tried < CYCLE_YEARS; year++)
    if (hasYear(year)) {
      tried++;
      yield year;
    }
}

/** The first time of day that fits, from one on, both in seconds since midnight. */
function timeFrom({ hours, minutes, seconds }: CronPlan, from: number): number | undefined {
  const [hour, minute, second] = [Math.floor(from / 3600), Math.floor(from / 60) % 60, from % 60];
  for (const h of hours) {
    if (h < hour) continue;
    for (const m of minutes) {
      if (h === hour && m < minute) continue;
      const s = h === hour && m === minute ? seconds.find((each) => each >= second) : seconds[0];
      if (s !== undefined) return h * 3600 + m * 60 + s;
    }
  }
  return undefined;
}
