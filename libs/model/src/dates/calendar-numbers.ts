import { NotADate } from './not-a-date';

export type CalendarPart = 'year' | 'month' | 'day';

/** The numbers of a date that may be its year, month or day, in the order of the text. */
export class CalendarNumbers {
  private readonly numbers: number[] = [];
  private readonly known = new Map<CalendarPart, number>();
  /** Whether a year was written with more than two digits. */
  hasCentury = false;

  get count(): number {
    return this.numbers.length;
  }

  /** @param digits three and more can only be a year */
  addDigits(digits: string | undefined, part?: CalendarPart): void {
    if (digits === undefined || !/^\d+$/.test(digits)) throw new NotADate();
    this.add(Number(digits), digits.length > 2, part);
  }

  addNumber(value: number, part?: CalendarPart): void {
    this.add(Math.trunc(value), value > 100, part);
  }

  private add(value: number, isYear: boolean, part?: CalendarPart): void {
    if (isYear && part !== undefined && part !== 'year') throw new NotADate();
    if (isYear) this.hasCentury = true;
    const meant = isYear ? 'year' : part;
    this.numbers.push(value);
    if (meant === undefined) return;
    if (this.known.has(meant)) throw new NotADate();
    this.known.set(meant, this.numbers.length - 1);
  }

  couldBeDay(value: number): boolean {
    const month = this.knownNumber('month');
    const year = month === undefined ? undefined : this.knownNumber('year');
    return value >= 1 && value <= (month === undefined ? 31 : daysOfMonth(year ?? 2000, month));
  }

  private knownNumber(part: CalendarPart): number | undefined {
    const index = this.known.get(part);
    return index === undefined ? undefined : this.numbers[index];
  }

  /** Which number is which. Of two orders that are possible, the month comes before the day. */
  resolve(): Partial<Record<CalendarPart, number>> {
    if (this.count > 3) throw new NotADate();
    if (this.known.size === this.count || (this.count === 3 && this.known.size === 2)) return this.byPart();
    const order = this.order();
    return Object.fromEntries(order.map((part, index) => [part, this.numbers[index]]));
  }

  private byPart(): Partial<Record<CalendarPart, number>> {
    const parts: readonly CalendarPart[] = ['year', 'month', 'day'];
    const places = new Map(this.known);
    const free = [0, 1, 2].find((index) => ![...places.values()].includes(index)) ?? 0;
    const left = parts.find((part) => !places.has(part));
    if (this.count === 3 && left !== undefined) places.set(left, free);
    return Object.fromEntries([...places].map(([part, index]) => [part, this.numbers[index]]));
  }

  private order(): readonly CalendarPart[] {
    const [first = 0, second = 0] = this.numbers;
    const month = this.known.get('month');
    if (this.count === 1) return [first > 31 ? 'year' : 'day'];
    if (this.count === 2) return this.orderOfTwo(first, second, month);
    if (month === 0) return second > 31 ? ['month', 'year', 'day'] : ['month', 'day', 'year'];
    if (month === 1) return first > 31 ? ['year', 'month', 'day'] : ['day', 'month', 'year'];
    if (month === 2) return second > 31 ? ['day', 'year', 'month'] : ['year', 'day', 'month'];
    if (first > 31 || this.known.get('year') === 0) return ['year', 'month', 'day'];
    return first > 12 ? ['day', 'month', 'year'] : ['month', 'day', 'year'];
  }

  private orderOfTwo(first: number, second: number, month: number | undefined): readonly CalendarPart[] {
    if (month === 0) return ['month', second > 31 ? 'year' : 'day'];
    if (month === 1) return [first > 31 ? 'year' : 'day', 'month'];
    if (first > 31) return ['year', 'month'];
    return second > 31 ? ['month', 'year'] : ['month', 'day'];
  }
}

/** 0 for a month that does not exist. */
export function daysOfMonth(year: number, month: number): number {
  if (month < 1 || month > 12) return 0;
  const date = new Date(0);
  date.setUTCFullYear(year, month, 0);
  return date.getUTCDate();
}
