import { daysOfMonth } from './calendar-numbers';
import type { WrittenDate } from './read-date';

/** The parts of a moment as shown by a calendar and a clock in its zone. */
export interface DateParts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly microsecond: number;
}

export interface CompleteDate extends DateParts {
  readonly offsetSeconds: number;
}

/**
 * Adds what a text leaves out: the missing parts of its day are those of today, a weekday alone means the next one, a missing time is
 * midnight, and a missing zone UTC. The day of today is at most the last one of the month.
 * @param today in UTC
 */
export function completeDate(written: WrittenDate, today: Date): CompleteDate {
  const { hour = 0, minute = 0, second = 0, microsecond = 0, offsetSeconds = 0, weekday } = written;
  const year = written.year ?? today.getUTCFullYear();
  const month = written.month ?? today.getUTCMonth() + 1;
  const day = written.day ?? Math.min(today.getUTCDate(), daysOfMonth(year, month) || 31);
  const time = { hour, minute, second, microsecond, offsetSeconds };
  const isGiven = weekday === undefined || written.day !== undefined || daysOfMonth(year, month) < day;
  if (isGiven) return { year, month, day, ...time };
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCDate(day + ((weekday - date.getUTCDay() + 8) % 7));
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate(), ...time };
}
