import { fault, MS_MICROS, SECOND_MICROS, type Micros } from '@switchyard/base';
import { DATE_TIMER, INTERVAL_TIMER } from '../names';
import { checkTimer } from '../parameters/check-timer';
import { parseCron } from '../parameters/cron-fields';
import { cronPlan } from './cron-plan';
import { dateInstant } from './date-instant';
import { nextCron } from './next-cron';
import { zoneOf, type Zone } from './zone';

/** When a timer fires. */
export interface TimerSchedule {
  /** The first time after an instant; undefined when there is none. */
  next(after: Micros): Micros | undefined;
}

export interface TimerFrame {
  /** `timersengine.local_timezone`: of timers that name none. */
  readonly localZone: string;
  /** When the timer was registered: intervals count from there, and incomplete dates mean the day of it. */
  readonly anchor: Micros;
}

type Parameters = Readonly<Record<string, unknown>>;

/**
 * The schedule of a timer trigger, from its type and its parameters as they are stored.
 * @throws Fault `trigger.timer-…`, `timer.unit`, `trigger.without-parameters` when they make no sense
 */
export function timerSchedule(type: string, parameters: Parameters, { localZone, anchor }: TimerFrame): TimerSchedule {
  checkTimer(type, parameters, anchor);
  if (type === INTERVAL_TIMER) return interval(parameters, anchor);
  const { timezone } = parameters;
  const zone = zoneNamed(typeof timezone === 'string' ? timezone : localZone);
  return type === DATE_TIMER ? date(parameters, zone, anchor) : cron(type, parameters, zone);
}

function zoneNamed(name: string): Zone {
  try {
    return zoneOf(name);
  } catch (error) {
    throw fault('trigger.timer-zone', { zone: name }, { cause: error });
  }
}

const UNIT_SECONDS: Readonly<Record<string, number>> = {
  weeks: 604_800,
  days: 86_400,
  hours: 3600,
  minutes: 60,
  seconds: 1,
};

function interval({ delta, unit }: Parameters, anchor: Micros): TimerSchedule {
  const seconds = UNIT_SECONDS[String(unit)];
  if (seconds === undefined) throw fault('timer.unit', { unit: String(unit) });
  const period = Math.round(Number(delta) * seconds * SECOND_MICROS);
  return {
    next: (after) => anchor + (Math.max(0, Math.floor((after - anchor) / period)) + 1) * period,
  };
}

function date(parameters: Parameters, zone: Zone, anchor: Micros): TimerSchedule {
  const text = String(parameters['date']);
  const at = dateInstant(text, zone, anchor);
  if (at === undefined) throw fault('trigger.timer-date', { date: text });
  return { next: (after) => (at > after ? at : undefined) };
}

function cron(type: string, parameters: Parameters, zone: Zone): TimerSchedule {
  const parsed = parseCron(parameters);
  if (!('schedule' in parsed)) throw fault('trigger.without-parameters', { type });
  const plan = cronPlan(parsed.schedule);
  return {
    next(after) {
      const at = nextCron(plan, zone, Math.floor(after / MS_MICROS));
      return at === undefined ? undefined : at * MS_MICROS;
    },
  };
}
