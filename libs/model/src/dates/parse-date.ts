import { isoToMicros, MS_MICROS, SECOND_MICROS, type Micros } from '@switchyard/base';
import { daysOfMonth } from './calendar-numbers';
import { completeDate, type CompleteDate } from './complete-date';
import { readDate } from './read-date';

/**
 * Parses dates in the notations of ISO 8601, weeks and days of a year included, and those of `readDate`. A date without a zone is UTC.
 * Missing parts come from the day of `now`; a missing time is midnight.
 * @returns undefined for a text that is not a date
 */
export function parseDate(text: string, now: Micros): Micros | undefined {
  const written = text.trim().slice(0, LONGEST);
  const iso = isoToMicros(written);
  if (iso !== undefined) {
    const [year = 0, month = 0, day = 0] = written.slice(0, 10).split('-').map(Number);
    // It reads the 30th of February as a date in March.
    return day >= 1 && day <= daysOfMonth(year, month) ? iso : undefined;
  }
  const today = new Date(now / MS_MICROS);
  const found = readDate(withCalendarDay(written), today.getUTCFullYear());
  if (found === undefined || Object.keys(found).length === 0) return undefined;
  return microsOf(completeDate(found, today));
}

const LONGEST = 100;

function microsOf(date: CompleteDate): Micros | undefined {
  const { year, month, day, hour, minute, second, microsecond, offsetSeconds } = date;
  const isValid =
    year >= 1 && year <= 9999 && day >= 1 && day <= daysOfMonth(year, month) && hour < 24 && minute < 60 && second < 60;
  if (!isValid || Math.abs(offsetSeconds) >= DAY_SECONDS) return undefined;
  const midnight = new Date(0);
  midnight.setUTCFullYear(year, month - 1, day);
  const seconds = (hour * 60 + minute) * 60 + second - offsetSeconds;
  return midnight.getTime() * MS_MICROS + seconds * SECOND_MICROS + microsecond;
}

const DAY_SECONDS = 24 * 60 * 60;

const ISO_WEEK = /^(\d{4})(-?)W(\d{2})(?:\2([1-7]))?(?=$|[T ])/;
const ISO_DAY = /^(\d{4})-?(\d{3})(?=$|[T ])/;

/** Replaces `2020-W10-1` and `2020-060` by the year, month and day, if there is such a week or day. */
function withCalendarDay(text: string): string {
  const [week, day] = [ISO_WEEK.exec(text), ISO_DAY.exec(text)];
  if (week) {
    const fourth = new Date(Date.UTC(Number(week[1]), 0, 4));
    const monday = 4 - ((fourth.getUTCDay() + 6) % 7) + (Number(week[3]) - 1) * 7;
    // A week belongs to the year of its Thursday.
    return onDay(text, week, monday + Number(week[4] ?? 1) - 1, monday + 3);
  }
  return day ? onDay(text, day, Number(day[2])) : text;
}

/** @param inYear a day of the year that has to be in it */
function onDay(text: string, { 0: found, 1: year }: RegExpExecArray, dayOfYear: number, inYear = dayOfYear): string {
  if (new Date(Date.UTC(Number(year), 0, inYear)).getUTCFullYear() !== Number(year)) return text;
  return new Date(Date.UTC(Number(year), 0, dayOfYear)).toISOString().slice(0, 10) + text.slice(found.length);
}
