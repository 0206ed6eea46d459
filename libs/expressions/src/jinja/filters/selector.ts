import type { Run } from '../run/run';
import { getItem } from '../values/attributes';
import { compare } from '../values/compare';
import { tuple } from '../values/collections';
import { isInt } from '../values/number';
import { toText } from '../values/text';

export type Reader = (item: unknown) => unknown;

const same: Reader = (value) => value;

/** Reads `a.b.0` of an item (the item itself for null), then applies `after`. */
export function attributeReader(attribute: unknown, run: Run, after: Reader = same): Reader {
  if (attribute === null || attribute === undefined) return after;
  const path = isInt(attribute) ? [attribute] : toText(attribute).split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step)); // prettier-ignore
  return (item) => after(path.reduce<unknown>((value, step) => getItem(value, step, run), item));
}

/** Texts compare without their case, unless `exact`. */
export const foldCase = (exact: boolean): Reader =>
  exact ? same : (value) => (typeof value === 'string' ? value.toLowerCase() : value);

/** A sorted copy, by one attribute or several joined with commas. */
export function sorted(
  items: readonly unknown[],
  attribute: unknown,
  exact: boolean,
  reverse: boolean,
  run: Run,
): unknown[] {
  run.budget.spend(items.length * Math.ceil(Math.log2(items.length + 2)));
  const names = typeof attribute === 'string' ? attribute.split(',') : [attribute];
  const readers = names.map((name) => attributeReader(name, run, foldCase(exact)));
  const keyed = items.map((item) => ({ item, key: tuple(readers.map((read) => read(item))) }));
  keyed.sort((a, b) => compare(a.key, b.key) * (reverse ? -1 : 1));
  return keyed.map(({ item }) => item);
}
