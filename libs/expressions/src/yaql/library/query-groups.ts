import type { Lambda } from '../run/frame';
import { greaterThan, lessThan } from '../run/operators';
import { define, type Overload } from '../run/overload';
import { YaqlDict } from '../values/dict';
import { YaqlFailure } from '../values/failure';
import { Lazy, type PlainList, plainList } from '../values/collections';
import { Ordered } from '../values/ordered';

type Items = Iterable<unknown>;

/** Functions that sort or group a collection. */
export const groupFunctions: readonly Overload[] = [
  define('orderBy', 'M', 'collection:iter, selector:fn', ordering(false)),
  define('orderByDescending', 'M', 'collection:iter, selector:fn', ordering(true)),
  define('thenBy', 'M', 'collection:ordered, selector:fn', thenOrdering(false)),
  define('thenByDescending', 'M', 'collection:ordered, selector:fn', thenOrdering(true)),
  define('groupBy', 'M', 'collection:iter, keySelector:fn, valueSelector:fn=null, aggregator:fn=null', 
    (items: Items, key: Lambda, value: Lambda | null, aggregator: Lambda | null) => {
      const groups = grouped(items, key, value);
      return new Lazy(aggregator === null ? asPairs(groups) : aggregated(groups, aggregator));
    }),
]; // oxfmt-ignore

const keyOf = (selector: Lambda) => (item: unknown) => selector.call(item);

function ordering(descending: boolean): (items: Items, selector: Lambda) => Ordered {
  return (items, selector) => new Ordered(items, { key: keyOf(selector), descending }, lessThan, greaterThan);
}

function thenOrdering(descending: boolean): (items: Ordered, selector: Lambda) => Ordered {
  return (items, selector) => items.thenBy({ key: keyOf(selector), descending });
}

function grouped(items: Items, key: Lambda, value: Lambda | null): YaqlDict {
  const groups = new YaqlDict();
  for (const item of items) {
    const name = key.call(item);
    const member = value === null ? item : value.call(item);
    const known = groups.get(name) as PlainList | undefined;
    if (known === undefined) groups.set(name, plainList([member]));
    else known.push(member);
  }
  return groups;
}

function* asPairs(groups: YaqlDict): Generator<unknown> {
  for (const [key, members] of groups) yield [key, members];
}

const MEANT_FOR_PAIRS: ReadonlySet<string> = new Set([
  'NoMatchingMethodException',
  'NoMatchingFunctionException',
  'NoMethodRegisteredException',
  'NoFunctionRegisteredException',
  'IndexError',
]);

/**
 * The aggregator gets the members of a group. A legacy aggregator takes `[key, members]` and returns such a pair; it is
 * recognized by its failure on the first group.
 */
function* aggregated(groups: YaqlDict, aggregator: Lambda): Generator<unknown> {
  let takesPairs = false;
  let first = true;
  for (const [key, members] of groups) {
    if (!takesPairs) {
      try {
        yield [key, aggregator.call(members)];
        first = false;
        continue;
      } catch (error) {
        if (!first || !(error instanceof YaqlFailure) || !MEANT_FOR_PAIRS.has(error.kind)) throw error;
        yield pairFrom(aggregator, key, members, error);
        takesPairs = true;
      }
    } else yield pairFrom(aggregator, key, members, undefined);
    first = false;
  }
}

function pairFrom(aggregator: Lambda, key: unknown, members: unknown, original: YaqlFailure | undefined): unknown {
  const pair = aggregator.call([key, members]);
  if (Array.isArray(pair) && pair.length === 2) return pair;
  throw original ?? new YaqlFailure('ValueError', 'The aggregator must return a list of two items');
}
