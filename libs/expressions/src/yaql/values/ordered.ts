import { budget } from '../run/budget';

/** One sort criterion: the key of an item, and the direction. */
export interface OrderKey {
  readonly key: (item: unknown) => unknown;
  readonly descending: boolean;
}

type Row = readonly [item: unknown, keys: unknown[]];

/** The result of `orderBy`: sorted on first use; `thenBy` adds criteria to the same object. */
export class Ordered implements Iterable<unknown> {
  private readonly criteria: OrderKey[];
  private items: unknown[] | undefined;
  private sorted = false;

  constructor(
    private readonly source: Iterable<unknown>,
    first: OrderKey,
    private readonly before: (a: unknown, b: unknown) => boolean,
    private readonly after: (a: unknown, b: unknown) => boolean,
  ) {
    this.criteria = [first];
  }

  thenBy(criterion: OrderKey): this {
    this.criteria.push(criterion);
    this.sorted = false;
    return this;
  }

  [Symbol.iterator](): Iterator<unknown> {
    return this.toList()[Symbol.iterator]();
  }

  toList(): readonly unknown[] {
    this.items ??= Array.from(this.source);
    if (!this.sorted) {
      this.items = this.items.map((item): Row => [item, []]).sort((a, b) => this.compare(a, b)).map(([item]) => item); // oxfmt-ignore
      this.sorted = true;
    }
    return this.items;
  }

  private compare(a: Row, b: Row): number {
    budget().spend(1);
    for (let index = 0; index < this.criteria.length; index += 1) {
      const [x, y] = [this.key(a, index), this.key(b, index)];
      const order = this.before(x, y) ? -1 : this.after(x, y) ? 1 : 0;
      if (order !== 0) return this.criteria[index]?.descending === true ? -order : order;
    }
    return 0;
  }

  /** Computes a key on its first comparison, so a single item never needs one. */
  private key([item, keys]: Row, index: number): unknown {
    if (keys.length === index) keys.push(this.criteria[index]?.key(item));
    return keys[index];
  }
}
