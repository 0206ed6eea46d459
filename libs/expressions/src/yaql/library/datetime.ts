import { asNumber, type Int, isFloat, type Numeric } from '../../jinja/values/number';
import { define, type Overload } from '../run/overload';
import { DateTime, dateTimeOf } from '../values/date-time';
import { DAY, HOUR, MILLISECOND, MINUTE, SECOND, TimeSpan } from '../values/time-span';
import { valueError } from '../values/failure';
import { formatMoment } from './format-moment';
import { parseMoment } from './parse-moment';
import { parseByFormat } from './parse-by-format';

const offsetOf = (span: TimeSpan | null | undefined): bigint => span?.micros ?? 0n;
const UTC = new TimeSpan(0n);

export const datetimeFunctions: readonly Overload[] = [
  define('datetime', 'F', 'year:count, month:count, day:count, hour:count=0, minute:count=0, second:count=0, microsecond:count=0, offset:ts=none',
    (year: number, month: number, day: number, hour: number, minute: number, second: number, microsecond: number, offset?: TimeSpan) =>
      dateTimeOf({ year, month, day, hour, minute, second, microsecond }, offsetOf(offset))),
  define('datetime', 'F', 'timestamp:num, offset:ts=none', (timestamp: Numeric, offset?: TimeSpan) =>
    new DateTime(epochMicros(timestamp), offsetOf(offset))),
  define('datetime', 'F', 'string:str, format:str?=null', (text: string, format: string | null) =>
    format === null ? parseMoment(text) : parseByFormat(text, format)),
  define('timespan', 'F', 'days:int=0, hours:int=0, minutes:int=0, seconds:Int=0, milliseconds:Int=0, microseconds:Int=0', timespan),
  define('now', 'F', 'offset:ts?=null', (offset: TimeSpan | null) =>
    new DateTime(BigInt(Date.now()) * MILLISECOND, offsetOf(offset))),
  define('localtz', 'F', '', () => new TimeSpan(BigInt(-new Date().getTimezoneOffset()) * MINUTE)),
  define('utctz', 'F', '', () => UTC),
  define('replace', 'M', `dt:dt, ${['year', 'month', 'day', 'hour', 'minute', 'second', 'microsecond'].map((part) => `${part}:count?=null`).join(', ')}, offset:ts?=null`,
    replaced),
  define('format', 'M', 'dt:dt, format:str', formatMoment),
  define('isDatetime', 'F', 'value:any', (value: unknown) => value instanceof DateTime),
  define('isTimespan', 'F', 'value:any', (value: unknown) => value instanceof TimeSpan),
]; // oxfmt-ignore

function epochMicros(timestamp: Numeric): bigint {
  if (!isFloat(timestamp)) return BigInt(timestamp) * SECOND;
  const seconds = asNumber(timestamp);
  if (!Number.isFinite(seconds)) throw valueError('cannot convert float NaN to integer');
  const whole = Math.floor(seconds);
  return BigInt(whole) * SECOND + BigInt(Math.round((seconds - whole) * 1e6));
}

function timespan(days: Int, hours: Int, minutes: Int, seconds: Int, milliseconds: Int, microseconds: Int): TimeSpan {
  return new TimeSpan(
    BigInt(days) * DAY +
      BigInt(hours) * HOUR +
      BigInt(minutes) * MINUTE +
      BigInt(seconds) * SECOND +
      BigInt(milliseconds) * MILLISECOND +
      BigInt(microseconds),
  );
}

type Part = number | null;

/** Replaces parts of a moment and its zone. A new zone does not shift the clock. */
function replaced(
  moment: DateTime,
  year: Part,
  month: Part,
  day: Part,
  hour: Part,
  minute: Part,
  second: Part,
  microsecond: Part,
  offset: TimeSpan | null,
): DateTime {
  const { parts } = moment;
  return dateTimeOf(
    {
      year: year ?? parts.year,
      month: month ?? parts.month,
      day: day ?? parts.day,
      hour: hour ?? parts.hour,
      minute: minute ?? parts.minute,
      second: second ?? parts.second,
      microsecond: microsecond ?? parts.microsecond,
    },
    offset?.micros ?? moment.offsetMicros,
  );
}
