import { operation, type Operations } from '../run/operation';
import { getAttribute } from '../values/attributes';
import { dictEntries, isDict, isList, Tuple } from '../values/collections';
import { truth } from '../values/sequence';
import { repr, toText } from '../values/text';
import { Undefined } from '../values/undefined';
import { htmlSafeJson } from './json-text';

/** A missing value, or an empty one when asked for, gives way to the default. */
const orDefault = operation(['default_value', 'boolean'], (value, _run, fallback = '', whenFalse = false) =>
  value instanceof Undefined || (truth(whenFalse) && !truth(value)) ? fallback : value,
);

/** Jinja2's filters over any value. */
export const valueFilters: Operations = {
  default: orDefault,
  d: orDefault,
  attr: operation(['name'], (value, run, name) => getAttribute(value, toText(name), run, true), 1),
  pprint: operation([], (value) => repr(withSortedKeys(value))),
  tojson: operation(['indent'], (value, _run, indent = null) => htmlSafeJson(value, indent)),
};

/** Python's pretty printer sorts the keys; the text stays on one line. */
function withSortedKeys(value: unknown): unknown {
  if (isDict(value)) {
    const entries = dictEntries(value).map(([key, item]) => [key, withSortedKeys(item)] as const);
    return new Map([...entries].sort(([a], [b]) => (toText(a) < toText(b) ? -1 : 1)));
  }
  return isList(value) && !(value instanceof Tuple) ? value.map(withSortedKeys) : value;
}
