import { isoToMicros, MS_MICROS, type Micros } from '@switchyard/base';

/**
 * Parses dates in common notations and in mail headers: first ISO 8601, then month names, `m/d/y` and twelve-hour clocks. A
 * date without a zone is UTC. Missing parts come from the day of `now`; a missing time is midnight.
 * @returns undefined for a text that is not a date
 */
export function parseDate(text: string, now: Micros): Micros | undefined {
  const written = text.trim().slice(0, LONGEST);
  const iso = isoToMicros(written);
  // It reads the 30th of February as a date in March.
  if (iso !== undefined) return midnightOf(written.slice(0, 10).split('-').map(Number)) === undefined ? undefined : iso;
  const { time, rest } = takeTime(written.replace(/^(\d{8})T(\d{2})(\d{2})(\d{2})?/i, compactTime));
  const date = readDate(rest, new Date(now / MS_MICROS));
  const isWritten = /[\da-z]/i.test(written.replace(WEEKDAY, '').replace(FILLER, ''));
  if (time === undefined || date === undefined || !isWritten) return undefined;
  const midnight = midnightOf(date);
  return midnight === undefined ? undefined : midnight + time;
}

/** Undefined for a day that does not exist in the calendar. */
function midnightOf([year = 0, month = 0, day = 0]: readonly number[]): Micros | undefined {
  const midnight = new Date(0);
  midnight.setUTCFullYear(year, month - 1, day);
  const exists = midnight.getUTCMonth() === month - 1 && midnight.getUTCDate() === day;
  return exists ? midnight.getTime() * MS_MICROS : undefined;
}

const LONGEST = 100;

const compactTime = (_all: string, date: string, hour: string, minute: string, second = '00'): string =>
  `${date} ${hour}:${minute}:${second}`;

const ZONE = '\\s*(Z|UTC|GMT|[+-]\\d{2}(?::?\\d{2})?)?(?![\\w:])';
const CLOCK = new RegExp(`(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:[.,](\\d{1,9}))?)?\\s*([ap]m)?${ZONE}`, 'i');
const HOUR_ONLY = new RegExp(`\\b(\\d{1,2})()()()\\s*([ap]m)${ZONE}`, 'i');

/** The time of day in microseconds since midnight UTC, and the surrounding text; no time if there is none. */
function takeTime(text: string): { time: Micros | undefined; rest: string } {
  const found = CLOCK.exec(text) ?? HOUR_ONLY.exec(text);
  if (!found) return { time: 0, rest: text };
  const rest = `${text.slice(0, found.index).replace(/t$/i, '')} ${text.slice(found.index + found[0].length)}`;
  const [, hourText, minute, second, fraction = '', half, zone] = found;
  const hour = hourOfDay(Number(hourText), half);
  if (hour === undefined || Number(minute) > 59 || Number(second ?? 0) > 59) return { time: undefined, rest };
  const seconds = (hour * 60 + Number(minute) - offsetMinutes(zone)) * 60 + Number(second ?? 0);
  return { time: seconds * 1e6 + Number(fraction.padEnd(6, '0').slice(0, 6)), rest };
}

function hourOfDay(hour: number, half: string | undefined): number | undefined {
  if (half === undefined) return hour < 24 ? hour : undefined;
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
}

function offsetMinutes(zone: string | undefined): number {
  const found = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone ?? '');
  if (!found) return 0;
  return (found[1] === '-' ? -1 : 1) * (Number(found[2]) * 60 + Number(found[3] ?? 0));
}

type Day = readonly [year: number, month: number, day: number];

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const NAME_OF_MONTH =
  /\b(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b/i;
const WEEKDAY = /\b(?:mon|tues?|wed(?:nes)?|thur?s?|fri|sat(?:ur)?|sun)(?:day)?\b/i;
const FILLER = /[,;]|\b(?:at|on|of|and)\b|(?<=\d)(?:st|nd|rd|th)\b/gi;

function readDate(text: string, today: Date): Day | undefined {
  let rest = text.replace(WEEKDAY, ' ').replace(FILLER, ' ');
  const name = NAME_OF_MONTH.exec(rest)?.[0];
  if (name !== undefined) rest = rest.replace(name, ' ');
  const numbers = rest.trim() === '' ? [] : rest.trim().split(/\s*[-/.]\s*|\s+/).filter((part) => part !== ''); // oxfmt-ignore
  if (!numbers.every((part) => /^\d{1,8}$/.test(part))) return undefined;
  if (name !== undefined) return withMonth(MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1, numbers, today);
  return ofNumbers(numbers, today);
}

function withMonth(month: number, numbers: readonly string[], today: Date): Day | undefined {
  const [first, second] = numbers;
  if (first === undefined || numbers.length > 2) return undefined;
  if (second === undefined) {
    return first.length > 2
      ? [Number(first), month, today.getUTCDate()]
      : [today.getUTCFullYear(), month, Number(first)];
  }
  return first.length > 2 ? [Number(first), month, Number(second)] : [fullYear(second, today), month, Number(first)];
}

function ofNumbers(numbers: readonly string[], today: Date): Day | undefined {
  const [a, b, c] = numbers;
  const year = today.getUTCFullYear();
  if (a === undefined) return [year, today.getUTCMonth() + 1, today.getUTCDate()];
  if (b === undefined) return a.length === 8 ? [Number(a.slice(0, 4)), Number(a.slice(4, 6)), Number(a.slice(6))] : undefined; // oxfmt-ignore
  if (c === undefined) return a.length === 4 ? [Number(a), Number(b), today.getUTCDate()] : monthFirst(year, a, b);
  if (numbers.length > 3) return undefined;
  return a.length === 4 ? [Number(a), Number(b), Number(c)] : monthFirst(fullYear(c, today), a, b);
}

/** Month before day, unless only the other order is a valid date. */
const monthFirst = (year: number, a: string, b: string): Day =>
  Number(a) > 12 ? [year, Number(b), Number(a)] : [year, Number(a), Number(b)];

/** Two digits mean the closest year to now with these last digits. */
function fullYear(text: string, today: Date): number {
  if (text.length > 2) return Number(text);
  const year = Math.floor(today.getUTCFullYear() / 100) * 100 + Number(text);
  const distance = year - today.getUTCFullYear();
  return distance >= 50 ? year - 100 : distance < -50 ? year + 100 : year;
}
