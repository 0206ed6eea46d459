import { type DateTime, dateTimeOf, daysIn } from '../values/date-time';
import { YaqlFailure } from '../values/failure';
import { HOUR, MINUTE } from '../values/time-span';
import { MONTHS, WEEKDAYS } from './format-moment';

const LONGEST = 200;

/**
 * Parses ISO 8601 and common English date formats. Ambiguous numbers are month first; a missing date is today, a
 * missing time midnight, a missing zone UTC.
 * @throws ParserError
 */
export function parseMoment(text: string): DateTime {
  const found: FoundParts = {};
  let rest = text.trim();
  if (rest.length > LONGEST) throw unknownFormat(text);
  while (rest !== '') {
    const used = readNext(found, rest);
    if (used === 0) throw unknownFormat(text);
    rest = rest.slice(used);
  }
  if (Object.keys(found).length === 0) throw new YaqlFailure('ParserError', `String does not contain a date: ${text}`);
  try {
    return momentFrom(found);
  } catch (error) {
    throw error instanceof YaqlFailure ? new YaqlFailure('ParserError', `${error.message}: ${text}`) : error;
  }
}

const unknownFormat = (text: string) => new YaqlFailure('ParserError', `Unknown string format: ${text}`);

function momentFrom(found: FoundParts): DateTime {
  const now = new Date();
  const year = found.year ?? now.getUTCFullYear();
  const month = found.month ?? now.getUTCMonth() + 1;
  // Clamp the default day, so that it cannot make the date invalid.
  const day = found.day ?? Math.min(now.getUTCDate(), daysIn(year, month));
  const hour = found.hour ?? 0;
  const { minute = 0, second = 0, microsecond = 0, afternoon, offsetMicros = 0n } = found;
  const clock = afternoon === undefined ? hour : (hour % 12) + (afternoon ? 12 : 0);
  return dateTimeOf({ year, month, day, hour: clock, minute, second, microsecond }, offsetMicros);
}

/** The parts of a moment found in a text. */
interface FoundParts {
  year?: number;
  month?: number;
  day?: number;
  hour?: number;
  minute?: number;
  second?: number;
  microsecond?: number;
  afternoon?: boolean;
  offsetMicros?: bigint;
}

/** Reads the next part into `found`. @returns how many characters it used; 0 if nothing was recognized */
function readNext(found: FoundParts, rest: string): number {
  for (const { pattern, read } of READERS) {
    const match = pattern.exec(rest);
    if (match === null) continue;
    try {
      read(found, match);
      return match[0].length;
    } catch (error) {
      if (!(error instanceof Mismatch)) throw error;
    }
  }
  return 0;
}

/** Reads one kind of part at the start of the rest. */
interface Reader {
  readonly pattern: RegExp;
  readonly read: (found: FoundParts, match: RegExpExecArray) => void;
}

const TIME = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*([ap]\.?m\.?(?![a-z]))?/i;

/** Tried in this order at every position. */
const READERS: readonly Reader[] = [
  { pattern: /^(\d{4})-?(\d{2})-?(\d{2})T?(\d{2})(\d{2})(\d{2})?(?:\.(\d{1,9}))?(?!\d)/, read: compact },
  { pattern: TIME, read: time },
  { pattern: /^(\d{1,2})\s*([ap])\.?m\.?(?![a-z])/i, read: (found, [, hour, half]) => setTime(found, hour, '0', undefined, undefined, half) },
  { pattern: /^(\d{1,2})\s*h(?:(?:ours?)?\s*(\d{1,2})\s*m(?:in(?:utes?)?)?)?(?![a-z])/i, read: (found, [, hour, minute]) => setTime(found, hour, minute ?? '0') },
  { pattern: /^(\d{4})([-/.])(\d{1,2})(?:\2(\d{1,2}))?(?!\d)/, read: (found, [, year, , month, day]) => setDate(found, year, month, day) },
  { pattern: /^(\d{4})(\d{2})(\d{2})(?!\d)/, read: (found, [, year, month, day]) => setDate(found, year, month, day) },
  { pattern: /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?!\d)/, read: numeric },
  { pattern: /^(\d{1,2})([-/])(\d{1,2})(?!\d)/, read: numeric },
  { pattern: /^(?:utc|gmt|zulu|z)(?![a-z])/i, read: (found) => { found.offsetMicros ??= 0n; } },
  { pattern: /^([+-])(\d{2}):?(\d{2})?(?!\d)/, read: zone },
  { pattern: /^([a-z]{3,9})\.?(?![a-z])/i, read: word },
  { pattern: /^(\d{4})(?!\d)/, read: (found, [, year]) => take(found, 'year', Number(year)) },
  { pattern: /^(\d{1,2})(?:st|nd|rd|th)?(?![\da-z])/i, read: dayOrYear },
  { pattern: /^[\s,;./T-]+|^(?:at|on|of|and|the)(?![a-z])/i, read: () => undefined },
]; // oxfmt-ignore

/** The text matches a reader but is not valid here. */
class Mismatch extends Error {}

function take<K extends keyof FoundParts>(found: FoundParts, part: K, value: NonNullable<FoundParts[K]>): void {
  if (found[part] !== undefined) throw new Mismatch();
  found[part] = value;
}

function setDate(found: FoundParts, year?: string, month?: string, day?: string): void {
  if (found.month !== undefined) throw new Mismatch();
  take(found, 'year', Number(year));
  take(found, 'month', Number(month));
  if (day !== undefined) take(found, 'day', Number(day));
}

function setTime(found: FoundParts, hour = '0', minute = '0', second?: string, part?: string, half?: string): void {
  take(found, 'hour', Number(hour));
  take(found, 'minute', Number(minute));
  if (second !== undefined) take(found, 'second', Number(second));
  if (part !== undefined) take(found, 'microsecond', Number(part.slice(0, 6).padEnd(6, '0')));
  if (half !== undefined) take(found, 'afternoon', half.toLowerCase().startsWith('p'));
}

function time(found: FoundParts, [, hour, minute, second, part, half]: RegExpExecArray): void {
  setTime(found, hour, minute, second, part, half);
}

/** `20200102T030405`, with or without separators in the date. */
function compact(found: FoundParts, [, year, month, day, hour, minute, second, part]: RegExpExecArray): void {
  setDate(found, year, month, day);
  setTime(found, hour, minute, second, part);
}

/** `1/2/2015`, `13.2.15`, `1/2`: month first if possible. */
function numeric(found: FoundParts, [, first = '', , second = '', year]: RegExpExecArray): void {
  const [a, b] = [Number(first), Number(second)];
  if (found.month !== undefined || found.day !== undefined) throw new Mismatch();
  if (year === undefined && a > 31) throw new Mismatch();
  const dayFirst = a > 12 && b <= 12;
  take(found, 'month', dayFirst ? b : a);
  take(found, 'day', dayFirst ? a : b);
  if (year !== undefined) take(found, 'year', fullYear(year));
}

/** Two digits mean the year with that ending within fifty years of now. */
function fullYear(text: string): number {
  if (text.length > 2) return Number(text);
  const now = new Date().getUTCFullYear();
  const year = Math.floor(now / 100) * 100 + Number(text);
  return year >= now + 50 ? year - 100 : year < now - 50 ? year + 100 : year;
}

function zone(found: FoundParts, [, sign, hours = '0', minutes = '0']: RegExpExecArray): void {
  if (found.hour === undefined) throw new Mismatch();
  const size = BigInt(hours) * HOUR + BigInt(minutes) * MINUTE;
  take(found, 'offsetMicros', sign === '-' ? -size : size);
}

/** A month or a weekday; a weekday adds nothing to a full date. */
function word(found: FoundParts, [, name = '']: RegExpExecArray): void {
  const month = MONTHS.findIndex((each) => isNameOf(name, each));
  if (month >= 0) return take(found, 'month', month + 1);
  if (!WEEKDAYS.some((each) => isNameOf(name, each))) throw new Mismatch();
}

const isNameOf = (text: string, name: string): boolean =>
  name.toLowerCase() === text.toLowerCase() ||
  name.slice(0, 3).toLowerCase() === text.toLowerCase() ||
  (text.toLowerCase() === 'sept' && name === 'September');

function dayOrYear(found: FoundParts, [, digits = '']: RegExpExecArray): void {
  const value = Number(digits);
  if (found.day === undefined && value >= 1 && value <= 31) take(found, 'day', value);
  else take(found, 'year', fullYear(digits));
}
