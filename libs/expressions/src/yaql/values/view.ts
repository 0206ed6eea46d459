import { type DictLike, dictEntries, dictSize } from './dict';
import { type ByContent, CONTENT } from './hash-key';
import { membersContent } from './set-value';

/** What `keys()`, `values()` and `items()` of a dictionary give: the first and the last are set-like. */
export class View implements Iterable<unknown>, ByContent {
  constructor(
    readonly kind: 'keys' | 'values' | 'items',
    readonly dict: DictLike,
  ) {}

  get size(): number {
    return dictSize(this.dict);
  }

  *[Symbol.iterator](): Iterator<unknown> {
    for (const entry of dictEntries(this.dict)) {
      yield this.kind === 'items' ? [...entry] : this.kind === 'keys' ? entry[0] : entry[1];
    }
  }

  [CONTENT](encode: (inner: unknown) => string): string | undefined {
    return this.kind === 'values' ? undefined : membersContent(this, encode);
  }
}
