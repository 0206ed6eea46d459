/** The fields of a cron timer, from the most significant to the least. */
export const CRON_FIELDS = ['year', 'month', 'day', 'week', 'day_of_week', 'hour', 'minute', 'second'] as const;
export type CronField = (typeof CRON_FIELDS)[number];

/**
 * One part of a field's comma-separated list: every `step`-th value of an inclusive range, the last day of the month, or
 * the nth weekday of the month (-1 for the last; 0 is Monday).
 */
export type CronTerm =
  | { readonly kind: 'range'; readonly from: number; readonly to: number; readonly step: number }
  | { readonly kind: 'last-day' }
  | { readonly kind: 'nth-weekday'; readonly nth: number; readonly weekday: number };

/** The lowest and highest value of a field, and names for its values. */
interface Bounds {
  readonly from: number;
  readonly to: number;
  readonly names?: readonly string[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const POSITIONS = ['1st', '2nd', '3rd', '4th', '5th'];

const bounds: Readonly<Record<CronField, Bounds>> = {
  year: { from: 1970, to: 9999 },
  month: { from: 1, to: 12, names: MONTHS },
  day: { from: 1, to: 31 },
  week: { from: 1, to: 53 },
  day_of_week: { from: 0, to: 6, names: WEEKDAYS },
  hour: { from: 0, to: 23 },
  minute: { from: 0, to: 59 },
  second: { from: 0, to: 59 },
};

/**
 * Parses a field of a cron timer.
 * @returns its terms, or undefined when one is invalid
 */
export function parseCronField(field: CronField, text: string): CronTerm[] | undefined {
  const terms = text
    .toLowerCase()
    .split(',')
    .map((part) => parseTerm(field, part.trim()));
  return terms.every((term) => term !== undefined) ? terms : undefined;
}

function parseTerm(field: CronField, text: string): CronTerm | undefined {
  if (field === 'day' && text === 'last') return { kind: 'last-day' };
  const nth = field === 'day' ? /^(1st|2nd|3rd|4th|5th|last)\s+(\w+)$/.exec(text) : null;
  if (nth) return nthWeekday(nth[1] as string, nth[2] as string);
  const [, all, first = '', last, step] = /^(?:(\*)|(\w+)(?:-(\w+))?)(?:\/(\d{1,4}))?$/.exec(text) ?? [];
  if (all === undefined && first === '') return undefined;
  const { from: least, to: most } = bounds[field];
  const from = all ? least : valueOf(field, first);
  // A single value matches only itself; with a step, it is the first value.
  const to = last !== undefined ? valueOf(field, last) : all || step !== undefined ? most : from;
  if (from === undefined || to === undefined || from > to) return undefined;
  if (step === undefined) return { kind: 'range', from, to, step: 1 };
  // A wider step would match the first value only, so whoever wrote it meant something else.
  return Number(step) >= 1 && Number(step) <= to - from ? { kind: 'range', from, to, step: Number(step) } : undefined;
}

function nthWeekday(position: string, name: string): CronTerm | undefined {
  const weekday = WEEKDAYS.indexOf(name);
  if (weekday < 0) return undefined;
  return { kind: 'nth-weekday', nth: position === 'last' ? -1 : POSITIONS.indexOf(position) + 1, weekday };
}

function valueOf(field: CronField, text: string): number | undefined {
  const { from, to, names = [] } = bounds[field];
  const named = names.indexOf(text);
  if (named >= 0) return named + from;
  const value = /^\d{1,4}$/.test(text) ? Number(text) : undefined;
  return value !== undefined && value >= from && value <= to ? value : undefined;
}

/** Defaults of fields below the least significant given one. Fields above it match every value. */
const LEAST: Readonly<Record<CronField, string>> = {
  year: '*',
  month: '1',
  day: '1',
  week: '*',
  day_of_week: '*',
  hour: '0',
  minute: '0',
  second: '0',
};

export type CronSchedule = Readonly<Record<CronField, readonly CronTerm[]>>;

/**
 * Parses the fields of a cron timer. Missing fields above the least significant given one match every value; those below
 * take their lowest value, so that `{hour: 3}` fires once a day.
 * @returns the schedule, or the name of the invalid field; `wrong` is undefined when no field is given at all
 */
export function parseCron(
  parameters: Readonly<Record<string, unknown>>,
): { readonly schedule: CronSchedule } | { readonly wrong: CronField | undefined } {
  const given = (field: CronField): boolean => (parameters[field] ?? null) !== null;
  const lowest = CRON_FIELDS.findLastIndex(given);
  if (lowest < 0) return { wrong: undefined };
  const schedule: Partial<Record<CronField, readonly CronTerm[]>> = {};
  for (const [index, field] of CRON_FIELDS.entries()) {
    const text = given(field) ? String(parameters[field]) : index > lowest ? LEAST[field] : '*';
    const terms = parseCronField(field, text);
    if (!terms) return { wrong: field };
    schedule[field] = terms;
  }
  return { schedule: schedule as CronSchedule };
}
