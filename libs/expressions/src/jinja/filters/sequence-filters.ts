import type { JinjaRendering } from '../run/run';
import { filterOperation, type Operations } from '../run/operation';
import { addNumbers } from '../values/arithmetic';
import { binary } from '../run/operators';
import { jinjaDictEntries, isJinjaDict, tuple, jinjaTypeName } from '../values/collections';
import { compareJinja, contains, equalsJinja } from '../values/compare';
import { JinjaError } from '../values/jinja-error';
import { isNumber } from '../values/number';
import { intArgument } from '../values/plain';
import { chars, iterate, jinjaLength, jinjaTruth } from '../values/sequence';
import { toText } from '../values/text';
import { Undefined } from '../values/undefined';
import { attributeReader, foldCase, sorted } from './selection-filters';

/** Jinja2's filters for lists and dictionaries. */
export const sequenceFilters: Operations = {
  length: filterOperation([], jinjaLength),
  count: filterOperation([], jinjaLength),
  list: filterOperation([], (value, run) => {
    const items = iterate(value);
    run.budget.produce(items.length);
    return [...items];
  }),
  first: filterOperation([], (value, run) => firstOf(iterate(value), 0, 'No first item, sequence was empty.', run)),
  last: filterOperation([], (value, run) => firstOf(iterate(value), -1, 'No last item, sequence was empty.', run)),
  random: filterOperation([], (value, run) => {
    const items = iterate(value);
    return firstOf(items, Math.floor(run.random() * items.length), 'No random item, sequence was empty.', run);
  }),
  reverse: filterOperation([], (value) => (typeof value === 'string' ? [...chars(value)].reverse().join('') : [...iterate(value)].reverse())),
  join: filterOperation(['d', 'attribute'], (value, run, separator = '', attribute = null) => {
    const read = attributeReader(attribute, run);
    const texts = iterate(value).map((item) => toText(read(item)));
    const between = toText(separator);
    run.budget.produce(texts.reduce((sum, text) => sum + text.length + between.length, 0));
    return texts.join(between);
  }),
  sort: filterOperation(['reverse', 'case_sensitive', 'attribute'], (value, run, reverse = false, exact = false, attribute = null) =>
    sorted(iterate(value), attribute, jinjaTruth(exact), jinjaTruth(reverse), run)),
  unique: filterOperation(['case_sensitive', 'attribute'], (value, run, exact = false, attribute = null) => {
    const read = attributeReader(attribute, run, foldCase(jinjaTruth(exact)));
    return uniqueBy(iterate(value), read);
  }),
  min: filterOperation(['case_sensitive', 'attribute'], (value, run, exact = false, attribute = null) =>
    extreme(iterate(value), attributeReader(attribute, run, foldCase(jinjaTruth(exact))), -1, run)),
  max: filterOperation(['case_sensitive', 'attribute'], (value, run, exact = false, attribute = null) =>
    extreme(iterate(value), attributeReader(attribute, run, foldCase(jinjaTruth(exact))), 1, run)),
  sum: filterOperation(['attribute', 'start'], (value, run, attribute = null, start = 0) => {
    const read = attributeReader(attribute, run);
    return iterate(value).map(read).reduce((sum, item) => {
      run.budget.spend();
      return isNumber(sum) && isNumber(item) ? addNumbers(sum, item) : binary('+', sum, item, run);
    }, start);
  }),
  groupby: filterOperation(['attribute', 'default', 'case_sensitive'], (value, run, attribute, fallback = undefined, exact = false) => {
    const read = attributeReader(attribute, run, (item) => (item instanceof Undefined && fallback !== undefined ? fallback : item));
    const fold = foldCase(jinjaTruth(exact));
    const pairs = iterate(value).map((item) => [read(item), item] as const);
    run.budget.spend(pairs.length * Math.ceil(Math.log2(pairs.length + 2)));
    return grouped([...pairs].sort((a, b) => compareJinja(fold(a[0]), fold(b[0]))), fold);
  }, 1),
  batch: filterOperation(['linecount', 'fill_with'], (value, run, size, fill = null) => batch(iterate(value), intArgument(size, 'linecount'), fill, (n) => run.budget.produce(n)), 1),
  slice: filterOperation(['slices', 'fill_with'], (value, run, count, fill = null) => slices(iterate(value), intArgument(count, 'slices'), fill, (n) => run.budget.produce(n)), 1),
  dictsort: filterOperation(['case_sensitive', 'by', 'reverse'], (value, run, exact = false, by = 'key', reverse = false) => {
    if (by !== 'key' && by !== 'value') throw new JinjaError('FilterArgumentError', 'You can only sort by either "key" or "value"');
    const entries = requireDict(value).map((entry) => tuple(entry));
    return sorted(entries, by === 'key' ? 0 : 1, jinjaTruth(exact), jinjaTruth(reverse), run);
  }),
  items: filterOperation([], (value) => (value instanceof Undefined ? [] : requireDict(value).map((entry) => tuple(entry)))),
}; // oxfmt-ignore

function firstOf(items: readonly unknown[], index: number, missing: string, { lenient }: JinjaRendering): unknown {
  return items.length === 0 ? new Undefined(missing, lenient) : items.at(index);
}

function uniqueBy(items: readonly unknown[], read: (item: unknown) => unknown): unknown[] {
  const plain = new Set<unknown>();
  const others: unknown[] = [];
  return items.filter((item) => {
    const key = read(item);
    if (typeof key === 'string') return !plain.has(key) && plain.add(key) !== undefined;
    return !contains(others, key) && others.push(key) > 0;
  });
}

function extreme(
  items: readonly unknown[],
  read: (item: unknown) => unknown,
  sign: 1 | -1,
  { lenient }: JinjaRendering,
): unknown {
  if (items.length === 0) return new Undefined('No aggregated item, sequence was empty.', lenient);
  return items.reduce((best, item) =>
    compareJinja(read(item), read(best), sign > 0 ? '>' : '<') * sign > 0 ? item : best,
  );
}

type Pair = readonly [unknown, unknown];

function grouped(pairs: readonly Pair[], fold: (value: unknown) => unknown): unknown[] {
  const groups: [unknown, unknown[]][] = [];
  for (const [key, item] of pairs) {
    const last = groups.at(-1);
    if (last !== undefined && equalsJinja(fold(last[0]), fold(key))) last[1].push(item);
    else groups.push([key, [item]]);
  }
  return groups.map(([grouper, list]) => tuple([grouper, list], { grouper, list }));
}

type Check = (length: number) => void;

function batch(items: readonly unknown[], size: number, fill: unknown, check: Check): unknown[][] {
  const rows: unknown[][] = [];
  for (let at = 0; at < items.length; at += Math.max(1, size)) rows.push(items.slice(at, at + Math.max(1, size)));
  const last = rows.at(-1);
  if (fill === null || last === undefined) return rows;
  check(size);
  while (last.length < size) last.push(fill);
  return rows;
}

function slices(items: readonly unknown[], count: number, fill: unknown, check: Check): unknown[][] {
  if (count === 0) throw new JinjaError('ZeroDivisionError', 'integer division or modulo by zero');
  check(count * 32);
  const size = Math.floor(items.length / count);
  const longer = items.length % count;
  return Array.from({ length: count }, (_, index) => {
    const start = index * size + Math.min(index, longer);
    const row = items.slice(start, start + size + (index < longer ? 1 : 0));
    return fill !== null && index >= longer ? [...row, fill] : row;
  });
}

function requireDict(value: unknown): [unknown, unknown][] {
  if (isJinjaDict(value)) return jinjaDictEntries(value);
  if (value instanceof Undefined) return value.fail();
  throw new JinjaError('TypeError', `Can only get item pairs from a mapping, not ${jinjaTypeName(value)}.`);
}
