import { isPlainObject } from '@switchyard/base';
import { budget } from '../run/budget';
import { type ByContent, CONTENT, entriesContent, hashKey } from './hash-key';

/** A dictionary made by an expression: keys of any kind, in the order of insertion. */
export class Dict implements ByContent {
  private readonly entries = new Map<unknown, readonly [key: unknown, value: unknown]>();

  constructor(entries: Iterable<readonly [unknown, unknown]> = []) {
    for (const [key, value] of entries) this.set(key, value);
  }

  get size(): number {
    return this.entries.size;
  }

  get(key: unknown): unknown {
    return this.entries.get(hashKey(key))?.[1];
  }

  has(key: unknown): boolean {
    return this.entries.has(hashKey(key));
  }

  /** Only for the one who makes it. An existing key keeps its place, as in Python the key itself does. */
  set(key: unknown, value: unknown): this {
    const hash = hashKey(key);
    const known = this.entries.get(hash);
    this.entries.set(hash, [known === undefined ? key : known[0], value]);
    if (known === undefined) budget().element(this.entries.size);
    return this;
  }

  delete(key: unknown): void {
    this.entries.delete(hashKey(key));
  }

  [Symbol.iterator](): Iterator<readonly [unknown, unknown]> {
    return this.entries.values();
  }

  [CONTENT](encode: (inner: unknown) => string): string {
    return entriesContent(this, encode);
  }
}

/** Data that comes from outside are plain objects and stay so; they are never changed. */
export type DictLike = Dict | Readonly<Record<string, unknown>>;

export const isDict = (value: unknown): value is DictLike => value instanceof Dict || isPlainObject(value);

/** The value of a key, undefined where there is none. */
export function dictGet(dict: DictLike, key: unknown): unknown {
  if (dict instanceof Dict) return dict.get(key);
  return typeof key === 'string' && Object.hasOwn(dict, key) ? (dict[key] ?? null) : undefined;
}

export const dictHas = (dict: DictLike, key: unknown): boolean =>
  dict instanceof Dict ? dict.has(key) : typeof key === 'string' && Object.hasOwn(dict, key);

export function dictSize(dict: DictLike): number {
  if (dict instanceof Dict) return dict.size;
  const { length } = Object.keys(dict);
  budget().spend(length >> 4);
  return length;
}

export function* dictEntries(dict: DictLike): Iterable<readonly [unknown, unknown]> {
  if (dict instanceof Dict) yield* dict;
  else for (const key of Object.keys(dict)) yield [key, dict[key] ?? null];
}

/** The cost of copying an entry, in steps: it takes more memory than an item of a list. */
const ENTRY_COST = 4;

export function copyDict(dict: DictLike): Dict {
  budget().collection(dictSize(dict), ENTRY_COST);
  return new Dict(dictEntries(dict));
}
