import { chargeFor, chargeResult } from '../run/budget';
import type { Operation, Operations } from '../run/operation';
import type { JinjaRendering } from '../run/run';
import { JinjaError } from '../values/jinja-error';
import { iterate, jinjaTruth } from '../values/sequence';
import { toText } from '../values/text';
import { Undefined } from '../values/undefined';
import { getItem } from '../values/attributes';
import { compareJinja } from '../values/compare';
import { tuple } from '../values/collections';
import { isInt } from '../values/number';

/** `map`, and the four filters that keep or drop items by a test. */
export const selectionFilters: Operations = {
  map: (run, value, args, named) => itemsOf(value).map(mapper(run, args, named)),
  select: selection(true, false),
  reject: selection(false, false),
  selectattr: selection(true, true),
  rejectattr: selection(false, true),
};

/** Of null, zero and false, these filters make an empty list. */
const itemsOf = (value: unknown): readonly unknown[] =>
  value instanceof Undefined || jinjaTruth(value) ? iterate(value) : [];

function mapper(run: JinjaRendering, args: readonly unknown[], named: Readonly<Record<string, unknown>>): Reader {
  const { attribute, default: fallback, ...rest } = named;
  if (args.length === 0 && attribute !== undefined) {
    const [unknown] = Object.keys(rest);
    if (unknown !== undefined) throw new JinjaError('FilterArgumentError', `Unexpected keyword argument '${unknown}'`);
    return counted(
      run,
      attributeReader(attribute, run, (item) => (item instanceof Undefined && 'default' in named ? fallback : item)),
    );
  }
  const [name, ...others] = args;
  if (name === undefined) throw new JinjaError('FilterArgumentError', 'map requires a filter argument');
  const filter = run.filter(toText(name));
  if (filter === undefined) throw new JinjaError('TemplateRuntimeError', `No filter named '${toText(name)}'.`);
  return counted(run, (item) => chargeResult(filter(run, item, others, named)));
}

function counted(run: JinjaRendering, read: Reader): Reader {
  return (item) => {
    run.budget.spend();
    chargeFor(item);
    return read(item);
  };
}

function selection(keep: boolean, byAttribute: boolean): Operation {
  return (run, value, args, named) => {
    const [attribute, ...others] = args;
    if (byAttribute && args.length === 0)
      throw new JinjaError('FilterArgumentError', 'Missing parameter for attribute name');
    const read = byAttribute ? attributeReader(attribute, run) : (item: unknown) => item;
    const test = itemTest(run, byAttribute ? others : args, named);
    return itemsOf(value).filter(counted(run, (item) => test(read(item)) === keep) as (item: unknown) => boolean);
  };
}

function itemTest(
  run: JinjaRendering,
  args: readonly unknown[],
  named: Readonly<Record<string, unknown>>,
): (item: unknown) => boolean {
  const [name, ...others] = args;
  if (name === undefined) return jinjaTruth;
  const test = run.test(toText(name));
  if (test === undefined) throw new JinjaError('TemplateRuntimeError', `No test named '${toText(name)}'.`);
  return (item) => jinjaTruth(test(run, item, others, named));
}

type Reader = (item: unknown) => unknown;

const same: Reader = (value) => value;

/** Returns a reader for `a.b.0` of an item (the item itself for null) that then applies `after`. */
export function attributeReader(attribute: unknown, run: JinjaRendering, after: Reader = same): Reader {
  if (attribute === null || attribute === undefined) return after;
  const path = isInt(attribute) ? [attribute] : toText(attribute).split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step)); // oxfmt-ignore
  return (item) => after(path.reduce<unknown>((value, step) => getItem(value, step, run), item));
}

/** Ignores the case of texts unless `exact`. */
export const foldCase = (exact: boolean): Reader =>
  exact ? same : (value) => (typeof value === 'string' ? value.toLowerCase() : value);

/** A copy sorted by one attribute, or by several separated by commas. */
export function sorted(
  items: readonly unknown[],
  attribute: unknown,
  exact: boolean,
  reverse: boolean,
  run: JinjaRendering,
): unknown[] {
  run.budget.spend(items.length * Math.ceil(Math.log2(items.length + 2)));
  const names = typeof attribute === 'string' ? attribute.split(',') : [attribute];
  const readers = names.map((name) => attributeReader(name, run, foldCase(exact)));
  const keyed = items.map((item) => ({ item, key: tuple(readers.map((read) => read(item))) }));
  keyed.sort((a, b) => compareJinja(a.key, b.key) * (reverse ? -1 : 1));
  return keyed.map(({ item }) => item);
}
