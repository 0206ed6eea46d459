import type { DirtyDocuments } from './dirty';
import type { ItemsDocument } from './documents';
import { ItemSet } from './items';
import type { Journal } from './journal';

/** The frozen lists of all with-items tasks. */
export class ItemSets {
  readonly all = new Map<number, ItemSet>();

  constructor(
    private readonly journal: Journal,
    private readonly dirty: DirtyDocuments,
  ) {}

  of(index: number | undefined): ItemSet | undefined {
    return index === undefined ? undefined : this.all.get(index);
  }

  add(values: readonly unknown[], concurrency: number | null): ItemSet {
    const index = this.all.size;
    const document: ItemsDocument = { kind: 'items', key: `items/${index}`, index, values, concurrency };
    const set = new ItemSet(document, this.journal, this.dirty);
    this.journal.put(this.all, index, set);
    this.dirty.put(document, true);
    return set;
  }

  restore(document: ItemsDocument): void {
    this.all.set(document.index, new ItemSet(document, this.journal, this.dirty));
  }
}
