import { type Dict, dictGet, isDict } from '../values/dict';
import { YaqlFailure } from '../values/failure';
import { isIterable } from '../values/kinds';
import { Lazy } from '../values/lazy';
import { inner } from '../values/text';
import { unknownCallee } from './dispatch-failures';
import { temporalProperty } from './temporal-properties';

/** `owner.name`: the entry of a dictionary, the same of every item of a collection, or a part of a moment. */
export function property(owner: unknown, name: string): unknown {
  if (isDict(owner)) return dictEntry(owner, name);
  if (isIterable(owner)) return new Lazy(eachProperty(owner, name));
  const part = temporalProperty(owner, name);
  if (part === undefined) throw unknownCallee({ name: `#property#${name}` });
  return part;
}

function* eachProperty(owners: Iterable<unknown>, name: string): Generator<unknown> {
  for (const owner of owners) yield property(owner ?? null, name);
}

/** @throws KeyError whose text is the key as Python shows it */
export function dictEntry(dict: Dict | Readonly<Record<string, unknown>>, key: unknown): unknown {
  const value = dictGet(dict, key);
  if (value === undefined) throw new YaqlFailure('KeyError', inner.repr(key, 0));
  return value;
}
