import { fault, isId, isoToMicros } from '@switchyard/base';

/** A condition on one stored field, in the words of the store's filters. */
export type Condition = string | boolean | null | Readonly<Record<string, unknown>>;

/** Several values are given separated by commas. `null` in any case asks for records without the field. */
export function textCondition(text: string): Condition {
  if (text.toLowerCase() === 'null') return null;
  const values = text.split(',').filter((value) => value !== '');
  return values.length > 1 ? { $in: values } : text;
}

/** @throws Fault `request.object-id` for what is no id, `request.too-many-items` for more than `maximum` */
export function idCondition(ids: readonly string[], maximum = Number.POSITIVE_INFINITY): Condition {
  if (ids.length > maximum) throw fault('request.too-many-items', { maximum });
  const wrong = ids.find((id) => !isId(id));
  if (wrong !== undefined) throw fault('request.object-id', { value: wrong });
  return ids.length === 1 ? (ids[0] as string) : { $in: [...ids] };
}

const FLAGS = new Map([
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false],
]);

/** @throws Fault `request.flag` for other than 1, true, 0, false (any case) */
export function flagCondition(text: string): boolean {
  const value = FLAGS.get(text.toLowerCase());
  if (value === undefined) throw fault('request.flag', { value: text });
  return value;
}

const TIME = /^\d{4}-\d{2}-\d{2}(\s|T)\d{2}:\d{2}:\d{2}(\.\d{3,6})?(Z|\+00|\+0000|\+00:00)$/;

/** A time of a filter, in microseconds. @throws Fault `request.time` */
export function readTime(text: string): number {
  // A plus sign that was not escaped arrives as a blank.
  const plus = text.replace(/ (00|0000|00:00)$/, '+$1');
  const micros = TIME.test(plus) ? isoToMicros(plus) : undefined;
  if (micros === undefined) throw fault('request.time');
  return micros;
}

export interface TimeRange {
  readonly condition: Condition;
  /** Order that the direction of the range asks for; undefined for a single time. */
  readonly direction?: 1 | -1;
}

/** `A..B` with both ends included, ascending when A is before B, else descending; or one time. @throws Fault `request.time` */
export function timeCondition(text: string): TimeRange {
  const [from = '', to] = text.split('..');
  if (to === undefined) return { condition: { $eq: readTime(from) } };
  const [a, b] = [readTime(from), readTime(to)];
  return { condition: { $gte: Math.min(a, b), $lte: Math.max(a, b) }, direction: a <= b ? 1 : -1 };
}
