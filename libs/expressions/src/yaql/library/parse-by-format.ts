import type { DateParts } from '@switchyard/model';
import { type DateTime, dateTimeOf } from '../values/date-time';
import { valueError } from '../values/failure';
import { inner } from '../values/text';
import { HOUR, MINUTE, SECOND } from '../values/time-span';
import { MONTHS, short, WEEKDAYS } from './format-moment';

/** The parts of a moment read so far. */
interface Found extends Partial<Record<keyof DateParts, number>> {
  afternoon?: boolean;
  dayOfYear?: number;
  offsetMicros?: bigint;
}

interface Directive {
  readonly pattern: string;
  readonly read: (found: Found, text: string) => void;
}

const number = (part: keyof DateParts, pattern: string): Directive => ({
  pattern,
  read: (found, text) => {
    found[part] = Number(text);
  },
});
const ignored = (pattern: string): Directive => ({ pattern, read: () => undefined });
const names = (list: readonly string[]): string => [...list].sort((a, b) => b.length - a.length).join('|');
const monthNames = (list: readonly string[]): Directive => ({
  pattern: names(list),
  read: (found, text) => {
    found.month = list.findIndex((name) => name.toLowerCase() === text.toLowerCase()) + 1;
  },
});

const DIRECTIVES: Readonly<Record<string, Directive>> = {
  Y: number('year', '\\d{4}'),
  y: { pattern: '\\d{2}', read: (found, text) => { found.year = Number(text) + (Number(text) < 69 ? 2000 : 1900); } },
  m: number('month', '1[0-2]|0[1-9]|[1-9]'),
  d: number('day', '3[01]|[12]\\d|0[1-9]|[1-9]| [1-9]'),
  H: number('hour', '2[0-3]|[01]\\d|\\d'),
  I: number('hour', '1[0-2]|0[1-9]|[1-9]'),
  M: number('minute', '[0-5]\\d|\\d'),
  S: number('second', '6[01]|[0-5]\\d|\\d'),
  f: { pattern: '\\d{1,6}', read: (found, text) => { found.microsecond = Number(text.padEnd(6, '0')); } },
  p: { pattern: 'am|pm', read: (found, text) => { found.afternoon = text.toLowerCase() === 'pm'; } },
  j: { pattern: '36[0-6]|3[0-5]\\d|[12]\\d\\d|0[1-9]\\d|00[1-9]|[1-9]\\d|0[1-9]|[1-9]', read: (found, text) => { found.dayOfYear = Number(text); } },
  b: monthNames(MONTHS.map(short)),
  B: monthNames(MONTHS),
  a: ignored(names(WEEKDAYS.map(short))),
  A: ignored(names(WEEKDAYS)),
  w: ignored('[0-6]'),
  U: ignored('5[0-3]|[0-4]\\d|\\d'),
  W: ignored('5[0-3]|[0-4]\\d|\\d'),
  z: { pattern: '[+-]\\d\\d:?[0-5]\\d(?::?[0-5]\\d)?|Z', read: (found, text) => { found.offsetMicros = offset(text); } },
  Z: { pattern: 'utc|gmt', read: (found) => { found.offsetMicros ??= 0n; } },
}; // oxfmt-ignore

const COMPOUND: readonly (readonly [string, string])[] = [
  ['%c', '%a %b %d %H:%M:%S %Y'],
  ['%x', '%m/%d/%y'],
  ['%X', '%H:%M:%S'],
];

/** Python's `strptime`; missing parts default to 1900-01-01 at midnight, UTC. */
export function parseByFormat(text: string, format: string): DateTime {
  const { matcher, directives } = compiled(format);
  const match = matcher.exec(text);
  if (match === null) throw valueError(`time data ${inner.repr(text, 0)} does not match format ${inner.repr(format, 0)}`);
  const rest = text.slice(match[0].length);
  if (rest !== '') throw valueError(`unconverted data remains: ${rest}`);
  const found: Found = {};
  directives.forEach(({ read }, index) => read(found, match[index + 1] ?? ''));
  return momentFrom(found);
} // oxfmt-ignore

function compiled(format: string): { readonly matcher: RegExp; readonly directives: readonly Directive[] } {
  const directives: Directive[] = [];
  const whole = COMPOUND.reduce((text, [name, meaning]) => text.replaceAll(name, meaning), format);
  const pattern = whole.replace(/%(.?)|\s+|[\\^$.*+?()[\]{}|/-]/gs, (all, name?: string) => {
    if (name === undefined) return /^\s/.test(all) ? '\\s+' : `\\${all}`;
    if (name === '%') return '%';
    const directive = Object.hasOwn(DIRECTIVES, name) ? DIRECTIVES[name] : undefined;
    if (directive === undefined) {
      throw valueError(name === '' ? `stray % in format '${format}'` : `'${name}' is a bad directive in format '${format}'`);
    }
    directives.push(directive);
    return `(${directive.pattern})`;
  }); // oxfmt-ignore
  return { matcher: new RegExp(`^${pattern}`, 'i'), directives };
}

function offset(text: string): bigint {
  if (text.toUpperCase() === 'Z') return 0n;
  const [hours = '0', minutes = '0', seconds = '0'] = text.slice(1).replaceAll(':', '').match(/\d\d/g) ?? [];
  const size = BigInt(hours) * HOUR + BigInt(minutes) * MINUTE + BigInt(seconds) * SECOND;
  return text.startsWith('-') ? -size : size;
}

function momentFrom({ afternoon, dayOfYear, offsetMicros = 0n, ...parts }: Found): DateTime {
  const year = parts.year ?? 1900;
  const day = dayOfYear === undefined ? undefined : new Date(Date.UTC(2000, 0, 1));
  day?.setUTCFullYear(year, 0, dayOfYear);
  const hour = parts.hour ?? 0;
  return dateTimeOf(
    {
      year,
      month: day === undefined ? (parts.month ?? 1) : day.getUTCMonth() + 1,
      day: day === undefined ? (parts.day ?? 1) : day.getUTCDate(),
      hour: afternoon === undefined ? hour : (hour % 12) + (afternoon ? 12 : 0),
      minute: parts.minute ?? 0,
      second: parts.second ?? 0,
      microsecond: parts.microsecond ?? 0,
    },
    offsetMicros,
  );
}
