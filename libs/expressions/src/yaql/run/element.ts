import { isInt } from '../../jinja/values/number';
import { dictGet, isDict } from '../values/dict';
import { YaqlFailure } from '../values/failure';
import { isIterable } from '../values/kinds';
import { PlainList } from '../values/plain-list';
import { noMatch } from './dispatch-failures';
import { dictEntry } from './property';

/**
 * `owner[key]`: an entry of a dictionary or an item by its number; negative numbers count from the end. Iterators and views
 * have numbered items, too, which the reference refuses.
 */
export function element(owner: unknown, key: unknown): unknown {
  if (isDict(owner)) return dictEntry(owner, key);
  const index = typeof key === 'boolean' ? Number(key) : key;
  if (!isInt(index) || !isIterable(owner)) throw noMatch({ name: '#indexer' });
  const items = Array.isArray(owner) ? owner : Array.from(owner);
  const item: unknown = items[Number(index) < 0 ? items.length + Number(index) : Number(index)];
  if (item !== undefined) return item;
  const kind = owner instanceof PlainList ? 'list' : 'tuple';
  throw new YaqlFailure('IndexError', `${kind} index out of range`);
}

/** `owner[key, default]` */
export function elementOr(owner: unknown, key: unknown, fallback: unknown): unknown {
  if (!isDict(owner)) throw noMatch({ name: '#indexer' });
  const value = dictGet(owner, key);
  return value === undefined ? fallback : value;
}
