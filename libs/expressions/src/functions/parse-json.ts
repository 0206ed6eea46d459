import { dataFilters } from '../jinja/filters/data-filters';
import { operation } from '../jinja/run/operation';
import { isDict } from '../jinja/values/collections';
import { JinjaError } from '../jinja/values/jinja-error';
import { defined } from '../jinja/values/undefined';

/** `json(text)`: the value of a JSON text; a map is one already. */
export const parseJson = operation([], (text, run) => {
  if (isDict(defined(text))) return text;
  if (typeof text !== 'string') throw new JinjaError('TypeError', 'Given object is not typeof string.');
  return dataFilters['from_json_string']?.(run, text, [], {});
});
