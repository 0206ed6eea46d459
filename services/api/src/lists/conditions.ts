import { fault, isId, isoToMicros, type Id, type Micros } from '@switchyard/base';
import { above, below, between, equal, isOneOf } from '@switchyard/storage';

/** Commas separate several values; empty ones are ignored. `null`, in any case, matches records without the field. */
export function textCondition(text: string) {
  if (text.toLowerCase() === 'null') return null;
  const values = text.split(',').filter((value) => value !== '');
  return values.length > 1 ? isOneOf(values) : (values[0] ?? text);
}

/** @throws Fault `request.object-id` for an invalid id, `request.too-many-items` for more than `maximum` */
export function idCondition(ids: readonly string[], maximum = Number.POSITIVE_INFINITY) {
  if (ids.length > maximum) throw fault('request.too-many-items', { maximum });
  const wrong = ids.find((id) => !isId(id));
  if (wrong !== undefined) throw fault('request.object-id', { value: wrong });
  return ids.length === 1 ? (ids[0] as Id) : isOneOf(ids);
}

const FLAGS = new Map([
  ['1', true],
  ['true', true],
  ['True', true],
  ['0', false],
  ['false', false],
  ['False', false],
]);

/** @throws Fault `request.flag` for values other than 1, true, True, 0, false, False */
export function flagCondition(text: string): boolean {
  const value = FLAGS.get(text);
  if (value === undefined) throw fault('request.flag', { value: text });
  return value;
}

const TIME = /^\d{4}-\d{2}-\d{2}(\s|T)\d{2}:\d{2}:\d{2}(\.\d{3,6})?(Z|\+00|\+0000|\+00:00)$/;

/** Parses a time of a filter into microseconds. @throws Fault `request.time` */
export function readTime(text: string): Micros {
  // An unescaped plus sign arrives as a space.
  const plus = text.replace(/ (00|0000|00:00)$/, '+$1');
  const micros = TIME.test(plus) ? isoToMicros(plus) : undefined;
  if (micros === undefined) throw fault('request.time');
  return micros;
}

/** A condition on a time, and the sort order that the direction of a range implies. */
export interface TimeRange {
  readonly from?: Micros;
  readonly to?: Micros;
  readonly direction?: 1 | -1;
}

/** `A..B` with both ends included, ascending when A is before B, else descending; or one time. @throws Fault `request.time` */
export function readTimeRange(text: string): TimeRange {
  const [from = '', to] = text.split('..');
  if (to === undefined) return { from: readTime(from), to: readTime(from) };
  const [a, b] = [readTime(from), readTime(to)];
  return { from: Math.min(a, b), to: Math.max(a, b), direction: a <= b ? 1 : -1 };
}

interface Moments extends Omit<TimeRange, 'direction'> {
  /** The format in which clients write times. */
  readonly after?: string | undefined;
  readonly before?: string | undefined;
}

/** Combines all conditions on a time. @returns undefined when there are none @throws Fault `request.time` */
export function timeCondition({ from, to, after, before }: Moments) {
  const condition = {
    ...(from === undefined || to === undefined ? {} : from === to ? equal(from) : between(from, to)),
    ...(after === undefined ? {} : above(readTime(after))),
    ...(before === undefined ? {} : below(readTime(before))),
  };
  return Object.keys(condition).length > 0 ? condition : undefined;
}
