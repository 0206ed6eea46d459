import { type CalendarPart, CalendarNumbers } from './calendar-numbers';
import { halfOfDay, isFiller, isUtcName, isZoneName, monthOf, timeUnitOf, weekdayOf } from './date-words';
import { NotADate } from './not-a-date';
import { splitDate } from './split-date';

/** The parts that a text has of a date and a time. They may be out of range, such as the hour 25. */
export interface WrittenDate extends Partial<Record<CalendarPart, number>> {
  /** Monday is 0. */
  weekday?: number;
  hour?: number;
  minute?: number;
  second?: number;
  microsecond?: number;
  /** East of Greenwich. */
  offsetSeconds?: number;
}

/**
 * Reads a date in the notations of Python's dateutil: ISO 8601 with and without separators, English names of months and weekdays,
 * `m/d/y`, twelve-hour clocks, hours with units. Names of zones other than UTC are ignored.
 * @param year the current year, which years of two digits are close to
 * @returns undefined for a text that is not a date; no parts for one without any
 */
export function readDate(text: string, year: number): WrittenDate | undefined {
  try {
    return new DateReader(splitDate(text), year).read();
  } catch (error) {
    if (error instanceof NotADate) return undefined;
    throw error;
  }
}

class DateReader {
  private readonly found: WrittenDate = {};
  private readonly calendar = new CalendarNumbers();
  private at = 0;
  private hasZoneName = false;
  private isUtc = false;

  constructor(
    private readonly tokens: string[],
    private readonly currentYear: number,
  ) {}

  read(): WrittenDate {
    for (; this.at < this.tokens.length; this.at += 1) this.readToken(this.tokens[this.at] as string);
    Object.assign(this.found, this.calendar.resolve());
    if (this.isUtc) this.found.offsetSeconds = 0;
    const { year } = this.found;
    if (year !== undefined && !this.calendar.hasCentury) this.found.year = this.fullYear(year);
    return this.found;
  }

  private token(ahead: number): string | undefined {
    return this.tokens[this.at + ahead];
  }

  private readToken(token: string): void {
    const [weekday, month, half] = [weekdayOf(token), monthOf(token), halfOfDay(token)];
    if (/^\d/.test(token)) this.readNumber(token);
    else if (weekday !== undefined) this.found.weekday = weekday;
    else if (month !== undefined) this.readMonth(month);
    else if (half !== undefined) this.readHalf(half);
    else if (this.mayBeZone(token)) this.readZoneName(token);
    else if (this.found.hour !== undefined && /^[+-]$/.test(token)) this.readOffset(token);
    else if (!isFiller(token)) throw new NotADate();
  }

  /** `Jan`, `Jan-01`, `Jan-01-99`, `Jan of 01` */
  private readMonth(month: number): void {
    this.calendar.addNumber(month, 'month');
    const separator = this.token(1);
    if (separator === '-' || separator === '/') {
      this.calendar.addDigits(this.token(2));
      const hasThird = this.token(3) === separator;
      if (hasThird) this.calendar.addDigits(this.token(4));
      this.at += hasThird ? 4 : 2;
    } else if (separator === ' ' && this.token(2)?.toLowerCase() === 'of' && this.token(3) === ' ' && this.token(4)) {
      const digits = this.token(4) as string;
      if (/^\d+$/.test(digits)) this.calendar.addDigits(String(this.fullYear(Number(digits))), 'year');
      this.at += 4;
    }
  }

  private readHalf(half: number): void {
    const { hour } = this.found;
    if (hour === undefined || hour > 12) throw new NotADate();
    this.found.hour = inHalf(hour, half);
  }

  private mayBeZone(token: string | undefined): boolean {
    const { hour, offsetSeconds } = this.found;
    return hour !== undefined && !this.hasZoneName && offsetSeconds === undefined && isZoneName(token);
  }

  /** `UTC`, and `UTC+3`, which means that three hours added to the time are UTC. */
  private readZoneName(token: string): void {
    this.hasZoneName = true;
    const sign = this.token(1);
    if (sign === '+' || sign === '-') {
      this.tokens[this.at + 1] = sign === '+' ? '-' : '+';
      if (isUtcName(token)) this.hasZoneName = false;
    } else if (isUtcName(token)) {
      this.isUtc = true;
      this.found.offsetSeconds = 0;
    }
  }

  /** `+3`, `+03`, `+0300`, `+03:00`, and a name in parentheses behind it. */
  private readOffset(sign: string): void {
    const digits = this.token(1) ?? '';
    const withColon = digits.length !== 4 && this.token(2) === ':';
    if (!/^(?:\d{1,2}|\d{4})$/.test(withColon ? digits.slice(-2) : digits)) throw new NotADate();
    const [hours, minutes] = digits.length === 4 ? [digits.slice(0, 2), digits.slice(2)] : [digits, withColon ? this.token(3) : '0']; // oxfmt-ignore
    if (!/^\d+$/.test(minutes ?? '')) throw new NotADate();
    this.found.offsetSeconds = (sign === '+' ? 1 : -1) * (Number(hours) * 3600 + Number(minutes) * 60);
    this.at += withColon ? 3 : 1;
    const isNamed = isFiller(this.token(1)) && this.token(2) === '(' && this.token(4) === ')';
    if (isNamed && !this.hasZoneName && (this.token(3)?.length ?? 0) >= 3 && isZoneName(this.token(3))) this.at += 4;
  }

  private readNumber(token: string): void {
    const { found, calendar } = this;
    const next = this.token(1);
    const isClock = next === ':' || timeUnitOf(next) !== undefined;
    const unit = this.unitOfNumber();
    if (calendar.count === 3 && (token.length === 2 || token.length === 4) && found.hour === undefined && !isClock) {
      this.setClock(token);
    } else if (token.length === 6 || token.indexOf('.') === 6) {
      if (calendar.count === 0 && !token.includes('.'))
        for (const at of [0, 2, 4]) calendar.addDigits(token.slice(at, at + 2));
      else this.setClock(token);
    } else if ([8, 12, 14].includes(token.length)) {
      calendar.addDigits(token.slice(0, 4), 'year');
      for (const at of [4, 6]) calendar.addDigits(token.slice(at, at + 2));
      if (token.length > 8) this.setClock(token.slice(8));
    } else if (unit !== undefined) this.setUnit(token, unit);
    else if (next === ':' && this.token(2) !== undefined) this.readClock(token);
    else if (next !== undefined && /^[-/.]$/.test(next)) this.readCalendar(token, next);
    else this.readLoneNumber(Number(token));
  }

  /** `03`, `0304`, `030405.6` */
  private setClock(digits: string): void {
    const [, hour, minute, seconds] = /^(\d{2})(\d{2})?(\d{2}(?:\.\d+)?)?$/.exec(digits) ?? [];
    if (hour === undefined) throw new NotADate();
    this.found.hour = Number(hour);
    if (minute !== undefined) this.found.minute = Number(minute);
    if (seconds !== undefined) this.setSeconds(seconds);
  }

  private setSeconds(text: string | undefined): void {
    const [, whole, fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(text ?? '') ?? [];
    if (whole === undefined) throw new NotADate();
    this.found.second = Number(whole);
    this.found.microsecond = Number(fraction.padEnd(6, '0').slice(0, 6));
  }

  /** The unit is behind the number, as in `3h`, or follows from the one before it, as in `3h 04`. */
  private unitOfNumber(): number | undefined {
    const behind = timeUnitOf(this.token(1)) ?? (this.token(1) === ' ' ? timeUnitOf(this.token(2)) : undefined);
    if (behind !== undefined) return behind;
    const isLast = this.at > 1 && this.token(1) === undefined && this.token(-1) === ' ';
    const before = timeUnitOf(this.token(-1)) ?? (isLast ? timeUnitOf(this.token(-2)) : undefined);
    return before === undefined ? undefined : before + 1;
  }

  private setUnit(token: string, unit: number): void {
    if (timeUnitOf(this.token(1)) !== undefined) this.at += 1;
    else if (this.token(1) === ' ' && timeUnitOf(this.token(2)) !== undefined) this.at += 2;
    const value = Number(token);
    const sixtieth = value % 1 === 0 ? undefined : Math.floor((value % 1) * 60 + 1e-9);
    if (unit === 0) Object.assign(this.found, { hour: Math.trunc(value), ...(sixtieth && { minute: sixtieth }) });
    if (unit === 1) Object.assign(this.found, { minute: Math.trunc(value), ...(sixtieth && { second: sixtieth }) });
    if (unit === 2) this.setSeconds(token);
  }

  /** `3:04`, `3:04:05.6` */
  private readClock(token: string): void {
    const minutes = /^\d/.test(this.token(2) ?? '') ? Number(this.token(2)) : Number.NaN;
    if (Number.isNaN(minutes)) throw new NotADate();
    delete this.found.second;
    this.found.hour = Math.trunc(Number(token));
    this.found.minute = Math.trunc(minutes);
    if (minutes % 1 !== 0) this.found.second = Math.floor((minutes % 1) * 60 + 1e-9);
    const hasSeconds = this.token(3) === ':' && this.token(4) !== undefined;
    if (hasSeconds) this.setSeconds(this.token(4));
    this.at += hasSeconds ? 4 : 2;
  }

  /** `1/2`, `1/2/03`, `1-Feb-2003` */
  private readCalendar(token: string, separator: string): void {
    this.calendar.addDigits(token);
    const second = this.token(2);
    this.at += 1;
    if (second === undefined || isFiller(second)) return;
    this.addPart(second);
    this.at += 1;
    if (this.token(1) !== separator) return;
    this.addPart(this.token(2));
    this.at += 2;
  }

  private addPart(token: string | undefined): void {
    const month = monthOf(token);
    if (month === undefined) this.calendar.addDigits(token);
    else this.calendar.addNumber(month, 'month');
  }

  /** `3 pm`, `3pm`, or a year, month or day. */
  private readLoneNumber(value: number): void {
    const next = this.token(1);
    const [half, laterHalf] = [halfOfDay(next), halfOfDay(this.token(2))];
    if (next === undefined || isFiller(next)) {
      if (laterHalf === undefined) this.calendar.addNumber(value);
      else this.found.hour = inHalf(Math.trunc(value), laterHalf);
      this.at += laterHalf === undefined ? 1 : 2;
    } else if (half !== undefined && value < 24) {
      this.found.hour = inHalf(Math.trunc(value), half);
      this.at += 1;
    } else if (this.calendar.couldBeDay(value)) this.calendar.addNumber(value);
    else throw new NotADate();
  }

  /** Two digits mean the year with that ending within fifty years of now. */
  private fullYear(year: number): number {
    if (year >= 100) return year;
    const full = this.currentYear - (this.currentYear % 100) + year;
    return full >= this.currentYear + 50 ? full - 100 : full < this.currentYear - 50 ? full + 100 : full;
  }
}

/** @param half 1 for the afternoon */
function inHalf(hour: number, half: number): number {
  if (hour < 12 && half === 1) return hour + 12;
  return hour === 12 && half === 0 ? 0 : hour;
}
