import { isPlainObject } from '@switchyard/base';
import { budget } from '../run/budget';
import { type ByContent, CONTENT, entriesContent, hashKey } from './hash-key';

/** A dictionary made by an expression: keys of any type, in insertion order. */
export class YaqlDict implements ByContent {
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

  /** For use during construction only. An existing key keeps its position, and as in Python the original key object. */
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

/** Data from outside stays in plain objects, which are never changed. */
export type DictLike = YaqlDict | Readonly<Record<string, unknown>>;

export const isYaqlDict = (value: unknown): value is DictLike => value instanceof YaqlDict || isPlainObject(value);

/** The value of a key; undefined if there is none. */
export function yaqlDictGet(dict: DictLike, key: unknown): unknown {
  if (dict instanceof YaqlDict) return dict.get(key);
  return typeof key === 'string' && Object.hasOwn(dict, key) ? (dict[key] ?? null) : undefined;
}

export const yaqlDictHas = (dict: DictLike, key: unknown): boolean =>
  dict instanceof YaqlDict ? dict.has(key) : typeof key === 'string' && Object.hasOwn(dict, key);

export function yaqlDictSize(dict: DictLike): number {
  if (dict instanceof YaqlDict) return dict.size;
  const { length } = Object.keys(dict);
  budget().spend(length >> 4);
  return length;
}

export function* yaqlDictEntries(dict: DictLike): Iterable<readonly [unknown, unknown]> {
  if (dict instanceof YaqlDict) yield* dict;
  else for (const key of Object.keys(dict)) yield [key, dict[key] ?? null];
}

/** Steps for copying an entry, which takes more memory than a list item. */
const ENTRY_COST = 4;

export function copyDict(dict: DictLike): YaqlDict {
  budget().collection(yaqlDictSize(dict), ENTRY_COST);
  return new YaqlDict(yaqlDictEntries(dict));
}
