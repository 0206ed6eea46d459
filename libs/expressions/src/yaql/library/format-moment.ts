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
/** Only UTC has a name. */
const zone: Directive = ({ offsetMicros }) => (offsetMicros === 0n ? 'UTC' : '');

const DIRECTIVES: Readonly<Record<string, Directive>> = {
  Y: ({ parts }) => String(parts.year),
  y: ({ parts }) => two(parts.year % 100),
  C: ({ parts }) => two(Math.floor(parts.year / 100)),
  m: ({ parts }) => two(parts.month),
  d: ({ parts }) => two(parts.day),
  e: ({ parts }) => String(parts.day).padStart(2),
  H: ({ parts }) => two(parts.hour),
  I: ({ parts }) => two(twelve(parts.hour)),
  k: ({ parts }) => String(parts.hour).padStart(2),
  l: ({ parts }) => String(twelve(parts.hour)).padStart(2),
  P: ({ parts }) => (parts.hour < 12 ? 'am' : 'pm'),
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
  g: (moment) => two(isoWeek(moment).year % 100),
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

/** C's `strftime` in the C locale, with the flags and widths of GNU; unknown directives are left as is. */
export function formatMoment(moment: DateTime, format: string): string {
  const text = format.replace(/%([-_0^#]*)(\d{0,3})([a-zA-Z%])/g, (all, flags: string, width: string, name: string) => {
    const value = Object.hasOwn(COMPOUND, name)
      ? formatMoment(moment, COMPOUND[name] as string)
      : Object.hasOwn(DIRECTIVES, name) && DIRECTIVES[name]?.(moment);
    return value === false || value === undefined
      ? all
      : padded(withCase(value, flags, name), flags || (/[ekl]/.test(name) ? '_' : ''), Number(width));
  });
  budget().text(text.length);
  return text;
}

function withCase(text: string, flags: string, name: string): string {
  if (name === 'P' || (name === 'c' && flags === '#')) return text;
  if (flags.includes('#')) return /[pZ]/.test(name) ? text.toLowerCase() : text.toUpperCase();
  return flags.includes('^') ? text.toUpperCase() : text;
}

/** Numbers are padded with zeros, or with blanks after `_`, or not at all after `-`. */
function padded(text: string, flags: string, width: number): string {
  const flag = /[-_0](?=[^-_0]*$)/.exec(flags)?.[0];
  if (flag === '-') return text.replace(/^[0 ]+(?=\d+$)/, '').padStart(width);
  const isNumber = /^ *\d+$/.test(text);
  if (flag === '_') return text.replace(/^0+(?=\d+$)/, (zeros) => ' '.repeat(zeros.length)).padStart(width);
  if (flag === '0' && isNumber) return text.replaceAll(' ', '0').padStart(width, '0');
  return text.padStart(width, isNumber || flag === '0' ? '0' : ' ');
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
