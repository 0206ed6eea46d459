import { DAY_MS, SECOND_MS } from '@switchyard/base';
import type { CronPlan } from './cron-plan';
import { nextMatch } from './next-match';
import type { Zone } from './zone';

const HOURS_A_DAY = 24;

/**
 * The first instant after another one at which a cron timer fires, in milliseconds since the epoch.
 *
 * When clocks are set, a timer for certain hours keeps to the wall: a time that is skipped fires at the instant of the
 * change, a time that comes twice fires the first time. A timer for every hour keeps to the passing of time: it fires
 * in both of two equal hours, and owes nothing for one that is left out.
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
      // Nothing fits until then, whatever is done to the clocks.
      from = zone.read(Math.floor(match / DAY_MS) * DAY_MS - DAY_MS).at;
      continue;
    }
    const candidate = from + match - wall;
    const turn = zone.turnBetween(from, candidate);
    if (turn === undefined) return candidate;
    from = turn;
  }
}
