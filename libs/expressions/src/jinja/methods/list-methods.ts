import { ITEM_SIZE } from '../run/budget';
import { filterOperation, type Operation, type Operations } from '../run/operation';
import { Tuple } from '../values/collections';
import { compareJinja, equalsJinja } from '../values/compare';
import { JinjaError } from '../values/jinja-error';
import { intArgument } from '../values/plain';
import { iterate, jinjaTruth } from '../values/sequence';

/** A method that changes a list; fails for tuples. */
const change = (parameters: readonly string[], body: Parameters<typeof filterOperation>[1]): Operation => {
  const changing = filterOperation(parameters, body);
  return (run, list, args, named) => {
    if (list instanceof Tuple) throw new JinjaError('TypeError', 'a tuple cannot be changed');
    return changing(run, list, args, named) ?? null;
  };
};

/** Python's `list` and `tuple` methods. */
export const listMethods: Operations = {
  index: filterOperation(['value'], (list: unknown[], _run, value) => {
    const at = list.findIndex((item) => equalsJinja(item, value));
    if (at < 0) throw new JinjaError('ValueError', 'the item is not in list');
    return at;
  }),
  count: filterOperation(
    ['value'],
    (list: unknown[], _run, value) => list.filter((item) => equalsJinja(item, value)).length,
  ),
  copy: filterOperation([], (list: unknown[], run) => {
    run.budget.produce(list.length);
    return [...list];
  }),
  append: change(['object'], (list: unknown[], run, item) => {
    run.budget.check((list.length + 1) * ITEM_SIZE);
    list.push(item);
    return null;
  }),
  extend: change(['iterable'], (list: unknown[], run, items) => {
    const more = [...iterate(items)];
    run.budget.check((list.length + more.length) * ITEM_SIZE);
    run.budget.produce(more.length);
    for (const item of more) list.push(item);
    return null;
  }),
  insert: change(['index', 'object'], (list: unknown[], run, index, item) => {
    run.budget.produce(list.length + 1);
    list.splice(intArgument(index, 'index'), 0, item);
    return null;
  }),
  pop: change(['index'], (list: unknown[], run, index = -1) => {
    const at = intArgument(index, 'index');
    const position = at < 0 ? at + list.length : at;
    if (position < 0 || position >= list.length) throw new JinjaError('IndexError', 'pop index out of range');
    run.budget.produce(list.length - position);
    return list.splice(position, 1)[0];
  }),
  remove: change(['value'], (list: unknown[], run, value) => {
    const at = list.findIndex((item) => equalsJinja(item, value));
    if (at < 0) throw new JinjaError('ValueError', 'list.remove(x): x not in list');
    run.budget.produce(list.length);
    list.splice(at, 1);
    return null;
  }),
  reverse: change([], (list: unknown[], run) => {
    run.budget.produce(list.length);
    list.reverse();
  }),
  sort: change(['reverse'], (list: unknown[], run, reverse = false) => {
    run.budget.spend(list.length);
    list.sort((a, b) => compareJinja(a, b) * (jinjaTruth(reverse) ? -1 : 1));
    return null;
  }),
  clear: change([], (list: unknown[]) => void list.splice(0)),
};

/** Methods of lists and dictionaries that change them. Templates that use one work on copies. */
export const CHANGING_METHODS: readonly string[] = [
  'append', 'extend', 'insert', 'pop', 'popitem', 'remove', 'reverse', 'sort', 'clear', 'update', 'setdefault',
]; // oxfmt-ignore
