import { budget } from '../run/budget';
import { type ByContent, CONTENT, hashKey } from './hash-key';
import { type DictLike, yaqlDictEntries, yaqlDictSize } from './dict';

/**
 * A list as made by `split`, `insert` and a few others. It behaves like any other list but never equals a plain array:
 * in the reference this kind is mutable, the usual kind is not.
 */
export class PlainList extends Array<unknown> {
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }
}

export function plainList(items: Iterable<unknown>): PlainList {
  const result = new PlainList();
  for (const item of items) result.push(item);
  return result;
}

/**
 * A single-pass iterator, as returned by most collection functions. A consumer that stops early leaves the rest to the
 * next one.
 */
export class Lazy implements IterableIterator<unknown> {
  private count = 0;
  private readonly budget = budget();
  private readonly source: Iterator<unknown>;

  constructor(source: Iterable<unknown>) {
    this.source = source[Symbol.iterator]();
  }

  next(): IteratorResult<unknown> {
    const result = this.source.next();
    if (result.done !== true) {
      this.count += 1;
      this.budget.element(this.count);
    }
    return result;
  }

  // No `return` method: `for … of` must not close an iterator that others continue to use.
  [Symbol.iterator](): this {
    return this;
  }
}

/** An iterator that remembers its items, so that every pass sees all of them. */
export class Memo implements Iterable<unknown> {
  private readonly seen: unknown[] = [];

  constructor(private readonly source: Iterator<unknown>) {}

  *[Symbol.iterator](): Iterator<unknown> {
    for (let index = 0; ; index += 1) {
      if (index === this.seen.length) {
        const next = this.source.next();
        if (next.done === true) return;
        this.seen.push(next.value);
      }
      budget().spend(1);
      yield this.seen[index];
    }
  }
}

export const isIterator = (value: unknown): value is Lazy | Memo => value instanceof Lazy || value instanceof Memo;

/** A set, in insertion order. */
export class SetValue implements Iterable<unknown>, ByContent {
  private readonly members = new Map<unknown, unknown>();

  constructor(members: Iterable<unknown> = []) {
    for (const member of members) this.add(member);
  }

  get size(): number {
    return this.members.size;
  }

  has(member: unknown): boolean {
    return this.members.has(hashKey(member));
  }

  /** For use during construction only. @returns whether the member was new */
  add(member: unknown): boolean {
    const hash = hashKey(member);
    if (this.members.has(hash)) return false;
    this.members.set(hash, member);
    budget().element(this.members.size);
    return true;
  }

  delete(member: unknown): void {
    this.members.delete(hashKey(member));
  }

  [Symbol.iterator](): Iterator<unknown> {
    return this.members.values();
  }

  [CONTENT](encode: (inner: unknown) => string): string {
    return membersContent(this, encode);
  }
}

const membersContent = (members: Iterable<unknown>, encode: (inner: unknown) => string): string =>
  `(${Array.from(members, encode).sort().join()})`;

/** The result of `keys()`, `values()` and `items()` of a dictionary; keys and items are set-like. */
export class View implements Iterable<unknown>, ByContent {
  constructor(
    readonly kind: 'keys' | 'values' | 'items',
    readonly dict: DictLike,
  ) {}

  get size(): number {
    return yaqlDictSize(this.dict);
  }

  *[Symbol.iterator](): Iterator<unknown> {
    for (const entry of yaqlDictEntries(this.dict)) {
      yield this.kind === 'items' ? [...entry] : this.kind === 'keys' ? entry[0] : entry[1];
    }
  }

  [CONTENT](encode: (inner: unknown) => string): string | undefined {
    return this.kind === 'values' ? undefined : membersContent(this, encode);
  }
}
