import { DAY_MS, SECOND_MS } from '@switchyard/base';
import type { CronPlan } from './cron-plan';
import type { Zone, WallMs } from './zone';

const HOURS_A_DAY = 24;

/**
 * The first instant after `after` at which a cron timer fires, in milliseconds since the epoch.
 *
 * When clocks change, a timer for certain hours follows local time: a skipped time fires at the instant of the change, a
 * repeated time fires only the first time. A timer for every hour follows elapsed time: it fires in both repeated hours
 * and does not fire for a skipped one.
 */
export const nextCron = (plan: CronPlan, zone: Zone, after: number): number | undefined =>
  plan.hours.length === HOURS_A_DAY ? nextByTime(plan, zone, after) : nextByWall(plan, zone, after);

const fullSecond = (instant: number): number => Math.floor(instant / SECOND_MS) * SECOND_MS;

function nextByWall(plan: CronPlan, zone: Zone, after: number): number | undefined {
  let wall = zone.toWall(fullSecond(after)) + SECOND_MS;
  for (;;) {
    const match = nextMatch(plan, wall);
    if (match === undefined) return undefined;
    const { at } = zone.read(match);
    if (at > after) return at;
    wall = match + SECOND_MS;
  }
}

function nextByTime(plan: CronPlan, zone: Zone, after: number): number | undefined {
  let from = fullSecond(after) + SECOND_MS;
  for (;;) {
    const wall = zone.toWall(from);
    const match = nextMatch(plan, wall);
    if (match === undefined) return undefined;
    if (match - wall > 2 * DAY_MS) {
      // Nothing matches before that day, even if clocks change.
      from = zone.read(Math.floor(match / DAY_MS) * DAY_MS - DAY_MS).at;
      continue;
    }
    const candidate = from + match - wall;
    const turn = zone.turnBetween(from, candidate);
    if (turn === undefined) return candidate;
    from = turn;
  }
}

const LAST_YEAR = 9999;
/** The calendar repeats after 400 years: a day that did not occur by then never does. */
const CYCLE_YEARS = 400;

/**
 * The first local time at or after `from` that matches every field.
 * @param from a full second
 */
function nextMatch(plan: CronPlan, from: WallMs): WallMs | undefined {
  const today = Math.floor(from / DAY_MS) * DAY_MS;
  for (const day of daysFrom(plan, today)) {
    const seconds = timeFrom(plan, day === today ? (from - today) / SECOND_MS : 0);
    if (seconds !== undefined) return day + seconds * SECOND_MS;
  }
  return undefined;
}

/** Yields the midnight of each matching day. */
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

/** The first matching time of day at or after `from`, both in seconds since midnight. */
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
