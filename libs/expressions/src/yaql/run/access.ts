import { isInt, asFloat, asInt } from '../../jinja/values/number';
import { yaqlDictGet, isYaqlDict, type YaqlDict } from '../values/dict';
import { YaqlFailure } from '../values/failure';
import { isYaqlIterable } from '../values/kinds';
import { PlainList, Lazy } from '../values/collections';
import { noMatch, unknownCallee } from './dispatch-failures';
import { inner } from '../values/text';
import { DateTime } from '../values/date-time';
import { DAY, HOUR, MILLISECOND, MINUTE, SECOND, TimeSpan } from '../values/time-span';

/**
 * `owner[key]`: an entry of a dictionary or an item by index; negative indexes count from the end. Unlike the
 * reference, this also indexes iterators and views.
 */
export function element(owner: unknown, key: unknown): unknown {
  if (isYaqlDict(owner)) return dictEntry(owner, key);
  const index = typeof key === 'boolean' ? Number(key) : key;
  if (!isInt(index) || !isYaqlIterable(owner)) throw noMatch({ name: '#indexer' });
  const items = Array.isArray(owner) ? owner : Array.from(owner);
  const item: unknown = items[Number(index) < 0 ? items.length + Number(index) : Number(index)];
  if (item !== undefined) return item;
  const kind = owner instanceof PlainList ? 'list' : 'tuple';
  throw new YaqlFailure('IndexError', `${kind} index out of range`);
}

/** `owner[key, default]` */
export function elementOr(owner: unknown, key: unknown, fallback: unknown): unknown {
  if (!isYaqlDict(owner)) throw noMatch({ name: '#indexer' });
  const value = yaqlDictGet(owner, key);
  return value === undefined ? fallback : value;
}

/** `owner.name`: an entry of a dictionary, the same property of every item of a collection, or a part of a moment. */
export function property(owner: unknown, name: string): unknown {
  if (isYaqlDict(owner)) return dictEntry(owner, name);
  if (isYaqlIterable(owner)) return new Lazy(eachProperty(owner, name));
  const part = temporalProperty(owner, name);
  if (part === undefined) throw unknownCallee({ name: `#property#${name}` });
  return part;
}

function* eachProperty(owners: Iterable<unknown>, name: string): Generator<unknown> {
  for (const owner of owners) yield property(owner ?? null, name);
}

/** @throws KeyError with the key in Python's notation */
function dictEntry(dict: YaqlDict | Readonly<Record<string, unknown>>, key: unknown): unknown {
  const value = yaqlDictGet(dict, key);
  if (value === undefined) throw new YaqlFailure('KeyError', inner.repr(key, 0));
  return value;
}

const total = (unit: bigint) => (span: TimeSpan) => asFloat(Number(span.micros) / Number(unit));

const SPAN: Readonly<Record<string, (span: TimeSpan) => unknown>> = {
  days: total(DAY),
  hours: total(HOUR),
  minutes: total(MINUTE),
  seconds: total(SECOND),
  milliseconds: total(MILLISECOND),
  microseconds: (span) => asInt(span.micros),
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
  timestamp: (moment) => asFloat(Number(moment.utcMicros) / Number(SECOND)),
};

/** Undefined for other values and unknown names. */
function temporalProperty(owner: unknown, name: string): unknown {
  if (owner instanceof DateTime) return Object.hasOwn(MOMENT, name) ? MOMENT[name]?.(owner) : undefined;
  if (owner instanceof TimeSpan) return Object.hasOwn(SPAN, name) ? SPAN[name]?.(owner) : undefined;
  return undefined;
}
