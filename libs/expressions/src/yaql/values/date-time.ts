import type { DateParts } from '@switchyard/model';
import { valueError, YaqlFailure } from './failure';
import { type ByContent, CONTENT } from './hash-key';
import { DAY, floorDiv, fraction, HOUR, MILLISECOND, MINUTE, SECOND, two } from './time-span';

/** A moment and the offset of its zone, both in microseconds. */
export class DateTime implements ByContent {
  constructor(
    readonly utcMicros: bigint,
    readonly offsetMicros: bigint,
  ) {
    if (offsetMicros <= -DAY || offsetMicros >= DAY) {
      throw valueError('offset must be strictly between -timedelta(hours=24) and timedelta(hours=24).');
    }
    const { year } = this.parts;
    if (!(year >= 1 && year <= 9999)) throw new YaqlFailure('OverflowError', 'date value out of range');
  }

  get localMicros(): bigint {
    return this.utcMicros + this.offsetMicros;
  }

  get parts(): DateParts {
    const millis = floorDiv(this.localMicros, MILLISECOND);
    const date = new Date(Number(millis));
    return {
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
      hour: date.getUTCHours(),
      minute: date.getUTCMinutes(),
      second: date.getUTCSeconds(),
      microsecond: Number(this.localMicros - floorDiv(this.localMicros, SECOND) * SECOND),
    };
  }

  /** Microseconds since midnight. */
  get timeOfDay(): bigint {
    return this.localMicros - floorDiv(this.localMicros, DAY) * DAY;
  }

  /** Monday is 0. */
  get weekday(): number {
    return Number((((floorDiv(this.localMicros, DAY) + 3n) % 7n) + 7n) % 7n);
  }

  /** Python's format, `2020-01-02 00:00:00+00:00`; with `T` between date and time it is ISO 8601. */
  format(between = ' '): string {
    const { year, month, day, hour, minute, second, microsecond } = this.parts;
    const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
    const time = `${two(hour)}:${two(minute)}:${two(second)}${fraction(BigInt(microsecond))}`;
    return date + between + time + this.offsetText(':');
  }

  [CONTENT](): string {
    return `d${this.utcMicros}`;
  }

  toString(): string {
    return this.format();
  }

  /** `+02:00` */
  offsetText(between: string): string {
    const size = this.offsetMicros < 0n ? -this.offsetMicros : this.offsetMicros;
    const seconds = (size % MINUTE) / SECOND;
    const tail = size % MINUTE === 0n ? '' : `${between}${two(seconds)}${fraction(size)}`;
    return `${this.offsetMicros < 0n ? '-' : '+'}${two(size / HOUR)}${between}${two((size % HOUR) / MINUTE)}${tail}`;
  }
}

/** @throws ValueError with Python's message for a part that is out of range */
export function dateTimeOf(parts: DateParts, offsetMicros: bigint): DateTime {
  const { year, month, day, hour, minute, second, microsecond } = parts;
  within(year, 1, 9999, `year ${year} is out of range`);
  within(month, 1, 12, 'month must be in 1..12');
  within(day, 1, daysIn(year, month), 'day is out of range for month');
  within(hour, 0, 23, 'hour must be in 0..23');
  within(minute, 0, 59, 'minute must be in 0..59');
  within(second, 0, 59, 'second must be in 0..59');
  within(microsecond, 0, 999_999, 'microsecond must be in 0..999999');
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, 0);
  return new DateTime(BigInt(date.getTime()) * MILLISECOND + BigInt(microsecond) - offsetMicros, offsetMicros);
}

function within(value: number, least: number, most: number, message: string): void {
  if (!(value >= least && value <= most)) throw valueError(message);
}

export function daysIn(year: number, month: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month, 0);
  return date.getUTCDate();
}
