import { DAY_MS } from '@switchyard/base';
import { budget } from '../run/budget';
import type { DateTime } from '../values/date-time';
import { floorDiv, SECOND, two } from '../values/time-span';

/** English names, as in the C locale; weeks start on Monday. */
export const MONTHS = [
  'January', 'February', 'March', 'April', 'May', 'June',
  'July', 'August', 'September', 'October', 'November', 'December',
] as const; // oxfmt-ignore

export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

export const short = (name: string): string => name.slice(0, 3);

type Directive = (moment: DateTime) => string;

const monthName: Directive = ({ parts }) => MONTHS[parts.month - 1] ?? '';
const weekdayName: Directive = ({ weekday }) => WEEKDAYS[weekday] ?? '';
const twelve = (hour: number): number => hour % 12 || 12;
const zone: Directive = (moment) => (moment.offsetMicros === 0n ? 'UTC' : `UTC${moment.offsetText(':')}`);

const DIRECTIVES: Readonly<Record<string, Directive>> = {
  Y: ({ parts }) => String(parts.year),
  y: ({ parts }) => two(parts.year % 100),
  C: ({ parts }) => two(Math.floor(parts.year / 100)),
  m: ({ parts }) => two(parts.month),
  d: ({ parts }) => two(parts.day),
  e: ({ parts }) => String(parts.day).padStart(2),
  H: ({ parts }) => two(parts.hour),
  I: ({ parts }) => two(twelve(parts.hour)),
  p: ({ parts }) => (parts.hour < 12 ? 'AM' : 'PM'),
  M: ({ parts }) => two(parts.minute),
  S: ({ parts }) => two(parts.second),
  f: ({ parts }) => String(parts.microsecond).padStart(6, '0'),
  j: (moment) => String(dayOfYear(moment)).padStart(3, '0'),
  a: (moment) => short(weekdayName(moment)),
  A: weekdayName,
  b: (moment) => short(monthName(moment)),
  h: (moment) => short(monthName(moment)),
  B: monthName,
  w: ({ weekday }) => String((weekday + 1) % 7),
  u: ({ weekday }) => String(weekday + 1),
  U: (moment) => two(Math.floor((dayOfYear(moment) + 6 - ((moment.weekday + 1) % 7)) / 7)),
  W: (moment) => two(Math.floor((dayOfYear(moment) + 6 - moment.weekday) / 7)),
  V: (moment) => two(isoWeek(moment).week),
  G: (moment) => String(isoWeek(moment).year),
  z: (moment) => moment.offsetText(''),
  Z: zone,
  s: ({ utcMicros }) => String(floorDiv(utcMicros, SECOND)),
  n: () => '\n',
  t: () => '\t',
  '%': () => '%',
};

/** Directives that abbreviate several others. */
const COMPOUND: Readonly<Record<string, string>> = {
  c: '%a %b %e %H:%M:%S %Y',
  x: '%m/%d/%y',
  D: '%m/%d/%y',
  X: '%H:%M:%S',
  T: '%H:%M:%S',
  R: '%H:%M',
  r: '%I:%M:%S %p',
  F: '%Y-%m-%d',
};

/** C's `strftime` in the C locale; unknown directives are left as is. */
export function formatMoment(moment: DateTime, format: string): string {
  const text = format.replace(/%([a-zA-Z%])/g, (all, name: string) => {
    if (Object.hasOwn(COMPOUND, name)) return formatMoment(moment, COMPOUND[name] as string);
    return Object.hasOwn(DIRECTIVES, name) ? (DIRECTIVES[name] as Directive)(moment) : all;
  });
  budget().text(text.length);
  return text;
}

function dayOfYear({ parts }: DateTime): number {
  return 1 + (utcDay(parts.year, parts.month, parts.day) - utcDay(parts.year, 1, 1)) / DAY_MS;
}

function utcDay(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

/** An ISO week belongs to the year that contains its Thursday. */
function isoWeek(moment: DateTime): { readonly year: number; readonly week: number } {
  const { year, month, day } = moment.parts;
  const thursday = new Date(utcDay(year, month, day + 3 - moment.weekday));
  const first = utcDay(thursday.getUTCFullYear(), 1, 1);
  return { year: thursday.getUTCFullYear(), week: 1 + Math.floor((thursday.getTime() - first) / DAY_MS / 7) };
}
