import { float } from '../../jinja/values/number';
import { DateTime } from '../values/date-time';
import { DAY, HOUR, MILLISECOND, MINUTE, SECOND, TimeSpan } from '../values/time-span';
import { int } from '../../jinja/values/number';

const total = (unit: bigint) => (span: TimeSpan) => float(Number(span.micros) / Number(unit));

const SPAN: Readonly<Record<string, (span: TimeSpan) => unknown>> = {
  days: total(DAY),
  hours: total(HOUR),
  minutes: total(MINUTE),
  seconds: total(SECOND),
  milliseconds: total(MILLISECOND),
  microseconds: (span) => int(span.micros),
};

const MOMENT: Readonly<Record<string, (moment: DateTime) => unknown>> = {
  year: ({ parts }) => parts.year,
  month: ({ parts }) => parts.month,
  day: ({ parts }) => parts.day,
  hour: ({ parts }) => parts.hour,
  minute: ({ parts }) => parts.minute,
  second: ({ parts }) => parts.second,
  microsecond: ({ parts }) => parts.microsecond,
  weekday: ({ weekday }) => weekday,
  date: (moment) => new DateTime(moment.utcMicros - moment.timeOfDay, moment.offsetMicros),
  time: (moment) => new TimeSpan(moment.timeOfDay),
  utc: (moment) => new DateTime(moment.utcMicros, 0n),
  offset: (moment) => new TimeSpan(moment.offsetMicros),
  timestamp: (moment) => float(Number(moment.utcMicros) / Number(SECOND)),
};

/** Undefined for other values and unknown names. */
export function temporalProperty(owner: unknown, name: string): unknown {
  if (owner instanceof DateTime) return Object.hasOwn(MOMENT, name) ? MOMENT[name]?.(owner) : undefined;
  if (owner instanceof TimeSpan) return Object.hasOwn(SPAN, name) ? SPAN[name]?.(owner) : undefined;
  return undefined;
}
