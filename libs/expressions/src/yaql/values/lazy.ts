import { budget } from '../run/budget';

/** A single-pass iterator, as most functions over collections return. Whoever stops early leaves the rest for the next one. */
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

  // No `return`: `for … of` must not close what somebody else goes on with.
  [Symbol.iterator](): this {
    return this;
  }
}

/** An iterator that remembers what it gave, so that every pass sees all of it. */
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
