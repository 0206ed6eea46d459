import { fault, MS_MICROS, SECOND_MICROS, type Micros, SECOND_MS } from '@switchyard/base';
import { parseDate } from '@switchyard/model';
import { checkTimer } from '../check-parameters';
import { DATE_TIMER, INTERVAL_TIMER } from '../trigger-record';
import { parseCron } from './cron-fields';
import { cronPlan } from './cron-plan';
import { nextCron } from './next-cron';
import { zoneOf, type Zone } from './zone';

/** Computes when a timer fires. */
export interface TimerSchedule {
  /** The first firing after an instant; undefined when there is none. */
  next(after: Micros): Micros | undefined;
}

export interface TimerFrame {
  /** `timersengine.local_timezone`, for timers without a time zone. */
  readonly localZone: string;
  /** When the timer was registered. Intervals count from here; incomplete dates mean this day. */
  readonly anchor: Micros;
}

type Parameters = Readonly<Record<string, unknown>>;

/**
 * The schedule of a timer trigger, from its stored type and parameters.
 * @throws Fault `trigger.timer-…`, `timer.unit`, `trigger.without-parameters` when they are invalid
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

/** Matches a time of day followed by a UTC offset, in the spellings that `parseDate` accepts. */
const HAS_OFFSET =
  /(?::\d{2}(?:[.,]\d{1,9})?|\d(?=\s*[ap]m)|^\d{8}T\d{4}(?:\d{2})?)\s*(?:[ap]m)?\s*(?:Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)(?![\w:])/i;

/**
 * When a date timer fires. A date without a UTC offset is local time in the zone.
 * @param today fills in missing parts of the date
 * @returns undefined for text that is not a date
 */
function dateInstant(text: string, zone: Zone, today: Micros): Micros | undefined {
  if (HAS_OFFSET.test(text.trim())) return parseDate(text, today);
  const wallToday = today + zone.offsetAt(Math.floor(today / MS_MICROS)) * MS_MICROS;
  const wall = parseDate(text, wallToday);
  if (wall === undefined) return undefined;
  const seconds = Math.floor(wall / SECOND_MICROS);
  return zone.read(seconds * SECOND_MS).at * MS_MICROS + (wall - seconds * SECOND_MICROS);
}
