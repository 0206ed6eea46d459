import type { NamedOperation } from '../jinja/run/operation';
import { ITEM_SIZE } from '../jinja/run/budget';
import { tuple } from '../jinja/values/collections';
import { JinjaError } from '../jinja/values/jinja-error';
import { iterate } from '../jinja/values/sequence';
import { defined } from '../jinja/values/undefined';

/**
 * `zip(list, …, pad=null)`: the first items together, then the second ones, up to the end of the longest list. Null counts
 * as an empty list; a single list is handed back as it is.
 */
export const zip: NamedOperation = Object.assign(zipped, { parameters: ['pad'], required: 0 });

function zipped(...[run, subject, others, named]: Parameters<NamedOperation>): unknown {
  const { pad = null, ...unknown } = named;
  const [extra] = Object.keys(unknown);
  if (extra !== undefined) throw new JinjaError('TypeError', `zip() got an unexpected keyword argument '${extra}'`);
  const values = subject === undefined ? [] : [subject, ...others];
  if (values.length === 1) return subject;
  const lists = values.map((value) => (defined(value) === null ? [] : iterate(value)));
  const length = lists.reduce((most, list) => Math.max(most, list.length), 0);
  run.budget.produce(length * lists.length * ITEM_SIZE);
  return Array.from({ length }, (_, index) => tuple(lists.map((list) => (index < list.length ? list[index] : pad))));
}
