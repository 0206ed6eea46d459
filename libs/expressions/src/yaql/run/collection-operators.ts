import { isInt } from '../../jinja/values/number';
import { equalsYaql } from '../values/compare';
import { asSet, isSetLike } from '../values/kinds';
import { Lazy, PlainList, plainList, SetValue } from '../values/collections';
import { budget } from './budget';

/** Two lists give a list, two sets a set, anything else an iterator. */
export function chained(a: Iterable<unknown>, b: Iterable<unknown>): unknown {
  if (isUsualList(a) && isUsualList(b)) {
    budget().collection(a.length + b.length);
    return a.concat(b);
  }
  if (a instanceof SetValue && b instanceof SetValue) return new SetValue(concatenated([a, b]));
  return new Lazy(concatenated([a, b]));
}

const isUsualList = (value: unknown): value is unknown[] => Array.isArray(value) && !(value instanceof PlainList);

export function* concatenated(parts: Iterable<Iterable<unknown>>): Generator<unknown> {
  for (const part of parts) for (const item of part) yield item;
}

export function minusSets(a: unknown, b: unknown): SetValue | undefined {
  if (!isSetLike(a) || !isSetLike(b)) return undefined;
  const without = asSet(b);
  return new SetValue([...a].filter((member) => !without.has(member)));
}

export function repeatCollection(a: unknown, b: unknown): unknown {
  if (typeof a === 'string') return repeated(a, b);
  if (typeof b === 'string') return repeated(b, a);
  return Array.isArray(a) ? repeatedList(a, b) : Array.isArray(b) ? repeatedList(b, a) : undefined;
}

/** A repeat count from an integer or boolean; undefined for other types. */
function count(value: unknown): number | undefined {
  if (typeof value !== 'boolean' && !isInt(value)) return undefined;
  return Math.max(Number(value), 0);
}

function repeated(text: string, times: unknown): string | undefined {
  const often = count(times);
  if (often === undefined) return undefined;
  budget().text(text.length * often);
  return text === '' ? '' : text.repeat(often);
}

function repeatedList(list: readonly unknown[], times: unknown): unknown {
  const often = count(times);
  if (often === undefined) return undefined;
  budget().collection(list.length * often);
  const items = list.length === 0 ? [] : Array.from({ length: often }, () => list).flat(1);
  return list instanceof PlainList ? plainList(items) : items;
}

export function isMember(value: unknown, items: Iterable<unknown>): boolean {
  if (items instanceof SetValue) return items.has(value);
  if (Array.isArray(items)) budget().spend(items.length >> 4);
  for (const item of items) if (equalsYaql(item ?? null, value)) return true;
  return false;
}
