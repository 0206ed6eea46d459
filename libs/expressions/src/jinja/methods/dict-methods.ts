import { ITEM_SIZE } from '../run/budget';
import { filterOperation, type Operations } from '../run/operation';
import { type JinjaDict, dictDelete, jinjaDictEntries, jinjaDictGet, jinjaDictHas, dictKeys, dictSet, jinjaDictSize, isJinjaDict, tuple } from '../values/collections'; // oxfmt-ignore
import { JinjaError } from '../values/jinja-error';
import { iterate } from '../values/sequence';
import { repr, toText } from '../values/text';

/** Python's `dict` methods; views are lists. */
export const dictMethods: Operations = {
  items: filterOperation([], (dict: JinjaDict) => jinjaDictEntries(dict).map((entry) => tuple(entry))),
  keys: filterOperation([], (dict: JinjaDict) => dictKeys(dict)),
  values: filterOperation([], (dict: JinjaDict) => jinjaDictEntries(dict).map(([, value]) => value)),
  get: filterOperation(['key', 'default'], (dict: JinjaDict, _run, key, fallback = null) =>
    jinjaDictHas(dict, key) ? jinjaDictGet(dict, key) : fallback),
  copy: filterOperation([], (dict: JinjaDict) => new Map(jinjaDictEntries(dict))),
  has_key: filterOperation(['key'], (dict: JinjaDict, _run, key) => jinjaDictHas(dict, key)),
  iteritems: filterOperation([], (dict: JinjaDict) => jinjaDictEntries(dict).map((entry) => tuple(entry))),
  iterkeys: filterOperation([], (dict: JinjaDict) => dictKeys(dict)),
  itervalues: filterOperation([], (dict: JinjaDict) => jinjaDictEntries(dict).map(([, value]) => value)),
  pop: filterOperation(['key', 'default'], (dict: JinjaDict, _run, ...args) => pop(dict, args)),
  popitem: filterOperation([], (dict: JinjaDict) => {
    const last = jinjaDictEntries(dict).at(-1);
    if (last === undefined) throw new JinjaError('KeyError', "'popitem(): dictionary is empty'");
    dictDelete(dict, last[0]);
    return tuple(last);
  }),
  setdefault: filterOperation(['key', 'default'], (dict: JinjaDict, _run, key, fallback = null) => {
    if (!jinjaDictHas(dict, key)) dictSet(dict, key, fallback);
    return jinjaDictGet(dict, key);
  }),
  update: (run, dict, [source], named) => {
    const entries = isJinjaDict(source) ? jinjaDictEntries(source) : iterate(source ?? []).map((pair) => iterate(pair));
    run.budget.check((jinjaDictSize(dict as JinjaDict) + entries.length) * ITEM_SIZE);
    run.budget.produce(entries.length);
    for (const [key, value] of entries) dictSet(dict as JinjaDict, key, value);
    for (const [key, value] of Object.entries(named)) dictSet(dict as JinjaDict, toText(key), value);
    return null;
  },
  clear: filterOperation([], (dict: JinjaDict) => {
    for (const key of dictKeys(dict)) dictDelete(dict, key);
    return null;
  }),
}; // oxfmt-ignore

function pop(dict: JinjaDict, [key, ...fallback]: unknown[]): unknown {
  if (!jinjaDictHas(dict, key)) {
    if (fallback.length > 0) return fallback[0];
    throw new JinjaError('KeyError', repr(key));
  }
  const value = jinjaDictGet(dict, key);
  dictDelete(dict, key);
  return value;
}
