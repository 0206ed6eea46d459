import type { CronSchedule, CronTerm } from './cron-fields';

/** A cron schedule prepared for searching: lists for fields with few values, predicates for the others. */
export interface CronPlan {
  readonly months: readonly number[];
  readonly hours: readonly number[];
  readonly minutes: readonly number[];
  readonly seconds: readonly number[];
  hasYear(year: number): boolean;
  hasDay(date: CalendarDay): boolean;
}

/** Months count from 1, weekdays from 0 for Monday. */
export interface CalendarDay {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly daysInMonth: number;
}

/** Milliseconds per day; days are numbered from the epoch for week calculations. */
const DAY = 86_400_000;

export function cronPlan(schedule: CronSchedule): CronPlan {
  const anyWeek = covers(schedule.week, 1, 53);
  const anyWeekday = covers(schedule.day_of_week, 0, 6);
  return {
    months: valuesOf(schedule.month, 12),
    hours: valuesOf(schedule.hour, 23),
    minutes: valuesOf(schedule.minute, 59),
    seconds: valuesOf(schedule.second, 59),
    hasYear: (year) => schedule.year.some((term) => has(term, year)),
    hasDay: (date) =>
      schedule.day.some((term) => fitsDay(term, date)) &&
      (anyWeekday || schedule.day_of_week.some((term) => has(term, weekdayOf(date)))) &&
      (anyWeek || schedule.week.some((term) => has(term, isoWeek(date)))),
  };
}

const has = (term: CronTerm, value: number): boolean =>
  term.kind === 'range' && value >= term.from && value <= term.to && (value - term.from) % term.step === 0;

const valuesOf = (terms: readonly CronTerm[], last: number): number[] =>
  Array.from({ length: last + 1 }, (_, value) => value).filter((value) => terms.some((term) => has(term, value)));

const covers = (terms: readonly CronTerm[], first: number, last: number): boolean =>
  valuesOf(terms, last).filter((value) => value >= first).length === last - first + 1;

function fitsDay(term: CronTerm, date: CalendarDay): boolean {
  const { day, daysInMonth } = date;
  if (term.kind === 'last-day') return day === daysInMonth;
  if (term.kind === 'range') return has(term, day);
  const isIt = term.nth < 0 ? day + 7 > daysInMonth : Math.ceil(day / 7) === term.nth;
  return isIt && weekdayOf(date) === term.weekday;
}

const numberOf = ({ year, month, day }: CalendarDay): number => Date.UTC(year, month - 1, day) / DAY;

/** 0 is Monday. The epoch began on a Thursday. */
const weekdayOfNumber = (dayNumber: number): number => (((dayNumber + 3) % 7) + 7) % 7;

const weekdayOf = (date: CalendarDay): number => weekdayOfNumber(numberOf(date));

/** The ISO 8601 week number: a week belongs to the year of its Thursday. */
function isoWeek(date: CalendarDay): number {
  const dayNumber = numberOf(date);
  const thursday = dayNumber - weekdayOfNumber(dayNumber) + 3;
  const firstDay = Date.UTC(new Date(thursday * DAY).getUTCFullYear(), 0, 1) / DAY;
  return Math.floor((thursday - firstDay) / 7) + 1;
}
