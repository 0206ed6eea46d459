import { ITEM_SIZE } from '../run/budget';
import { operation, type Operations } from '../run/operation';
import { type Dict, dictDelete, dictEntries, dictGet, dictHas, dictKeys, dictSet, dictSize, isDict, tuple } from '../values/collections'; // prettier-ignore
import { JinjaError } from '../values/jinja-error';
import { iterate } from '../values/sequence';
import { repr, toText } from '../values/text';

/** Python's methods of `dict`; the views are lists. */
export const dictMethods: Operations = {
  items: operation([], (dict: Dict) => dictEntries(dict).map((entry) => tuple(entry))),
  keys: operation([], (dict: Dict) => dictKeys(dict)),
  values: operation([], (dict: Dict) => dictEntries(dict).map(([, value]) => value)),
  get: operation(['key', 'default'], (dict: Dict, _run, key, fallback = null) =>
    dictHas(dict, key) ? dictGet(dict, key) : fallback),
  copy: operation([], (dict: Dict) => new Map(dictEntries(dict))),
  has_key: operation(['key'], (dict: Dict, _run, key) => dictHas(dict, key)),
  iteritems: operation([], (dict: Dict) => dictEntries(dict).map((entry) => tuple(entry))),
  iterkeys: operation([], (dict: Dict) => dictKeys(dict)),
  itervalues: operation([], (dict: Dict) => dictEntries(dict).map(([, value]) => value)),
  pop: operation(['key', 'default'], (dict: Dict, _run, ...args) => pop(dict, args)),
  popitem: operation([], (dict: Dict) => {
    const last = dictEntries(dict).at(-1);
    if (last === undefined) throw new JinjaError('KeyError', "'popitem(): dictionary is empty'");
    dictDelete(dict, last[0]);
    return tuple(last);
  }),
  setdefault: operation(['key', 'default'], (dict: Dict, _run, key, fallback = null) => {
    if (!dictHas(dict, key)) dictSet(dict, key, fallback);
    return dictGet(dict, key);
  }),
  update: (run, dict, [source], named) => {
    const entries = isDict(source) ? dictEntries(source) : iterate(source ?? []).map((pair) => iterate(pair));
    run.budget.check((dictSize(dict as Dict) + entries.length) * ITEM_SIZE);
    run.budget.produce(entries.length);
    for (const [key, value] of entries) dictSet(dict as Dict, key, value);
    for (const [key, value] of Object.entries(named)) dictSet(dict as Dict, toText(key), value);
    return null;
  },
  clear: operation([], (dict: Dict) => {
    for (const key of dictKeys(dict)) dictDelete(dict, key);
    return null;
  }),
}; // prettier-ignore

function pop(dict: Dict, [key, ...fallback]: unknown[]): unknown {
  if (!dictHas(dict, key)) {
    if (fallback.length > 0) return fallback[0];
    throw new JinjaError('KeyError', repr(key));
  }
  const value = dictGet(dict, key);
  dictDelete(dict, key);
  return value;
}
