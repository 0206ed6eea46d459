import { filterOperation, type Operations } from '../run/operation';
import { getAttribute } from '../values/attributes';
import { jinjaDictEntries, isJinjaDict, isJinjaList, Tuple } from '../values/collections';
import { jinjaTruth } from '../values/sequence';
import { repr, toText } from '../values/text';
import { Undefined } from '../values/undefined';
import { htmlSafeJson } from './json-text';
import { Decrypted } from '../run/datastore-item';
import { JinjaError } from '../values/jinja-error';

/** Replaces a missing value, and with `boolean` also a falsy one. */
const orDefault = filterOperation(['default_value', 'boolean'], (value, _run, fallback = '', whenFalse = false) =>
  value instanceof Undefined || (jinjaTruth(whenFalse) && !jinjaTruth(value)) ? fallback : value,
);

/** Jinja2's filters for values of any type. */
export const valueFilters: Operations = {
  default: orDefault,
  d: orDefault,
  attr: filterOperation(['name'], (value, run, name) => getAttribute(value, toText(name), run, true), 1),
  pprint: filterOperation([], (value) => repr(withSortedKeys(value))),
  tojson: filterOperation(['indent'], (value, _run, indent = null) => htmlSafeJson(value, indent)),
};

/** Python's pretty printer sorts keys; here the text stays on one line. */
function withSortedKeys(value: unknown): unknown {
  if (isJinjaDict(value)) {
    const entries = jinjaDictEntries(value).map(([key, item]) => [key, withSortedKeys(item)] as const);
    return new Map([...entries].sort(([a], [b]) => (toText(a) < toText(b) ? -1 : 1)));
  }
  return isJinjaList(value) && !(value instanceof Tuple) ? value.map(withSortedKeys) : value;
}

/** Decrypts a secret datastore item, or an encrypted text if the caller passed `decrypt`. */
export const decryptFilter: Operations = {
  decrypt_kv: filterOperation([], (value, run) => {
    if (value instanceof Decrypted) return value.text;
    if (run.decrypt === undefined)
      throw new JinjaError('ValueError', 'decrypt_kv can only be applied to datastore items here');
    return run.decrypt(toText(value));
  }),
};
