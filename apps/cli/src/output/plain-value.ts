import { isPlainObject } from '@switchyard/base';

/** A single value as text. Scripts compare with these words. */
export function plainValue(value: unknown): string {
  if (value === undefined || value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return value;
  // All other values come from JSON: numbers, objects and lists.
  return JSON.stringify(sortedDeep(value), null, 4);
}

/** A value with the keys of all its objects sorted, so that equal values print equally. */
export function sortedDeep(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedDeep);
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, item]) => [name, sortedDeep(item)]));
}

/** Removes control characters, which would act on the terminal. Keeps tabs and newlines. */
export const withoutControls = (text: string): string =>
  text.replace(/\r\n/g, '\n').replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');

/** A value in a table with a row for each record: as in a property table, but lists of plain values are joined. */
export const cellValue = (value: unknown): string =>
  Array.isArray(value) && value.every((item) => typeof item !== 'object')
    ? withoutControls(value.map(plainValue).join(', '))
    : propertyValue(value);

/** A value in a property table. Objects and lists are JSON; missing and empty values are blank. */
export function propertyValue(value: unknown): string {
  if (value === undefined || value === null) return '';
  const isEmptyObject = typeof value === 'object' && Object.keys(value).length === 0;
  return isEmptyObject ? '' : withoutControls(plainValue(value));
}

const CODES: Readonly<Record<string, number>> = { succeeded: 32, failed: 31, timeout: 33, abandoned: 31, delayed: 34 };
const OTHERS = 33;

/** Colours `text` by the first word of `status`. */
export function statusColour(text: string, status: string): string {
  const code = CODES[status.split(' ')[0] ?? ''] ?? OTHERS;
  return `\u001b[${code}m${text}\u001b[0m`;
}

/** `Tue, 17 Feb 2015 17:28:28 UTC`, in the given time zone. Returns other texts unchanged. */
export function readableTime(iso: string, timeZone: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    day: '2-digit',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  }).formatToParts(time);
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.find((each) => each.type === type)?.value ?? '';
  const day = `${part('weekday')}, ${part('day')} ${part('month').slice(0, 3)} ${part('year')}`;
  return `${day} ${part('hour')}:${part('minute')}:${part('second')} ${part('timeZoneName')}`;
}
