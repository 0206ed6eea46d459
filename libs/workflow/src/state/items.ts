import { ACTIVE, COMPLETED, type WorkflowStatus } from '../machines/statuses';
import type { ItemCounts, ItemGroup } from '../machines/items-table';
import type { ItemDocument, ItemsDocument } from './documents';
import type { DirtyDocuments, Journal } from './journal';

/** The items of one with-items task: the frozen list, and the status and result of each item (I8). */
export class ItemSet {
  readonly runs: (ItemDocument | undefined)[] = [];
  private readonly census: Record<ItemGroup, number> = { active: 0, paused: 0, canceled: 0, failed: 0, succeeded: 0 };
  /** All items before it have been started. */
  private cursor = 0;
  private startedCount = 0;

  constructor(
    readonly document: ItemsDocument,
    private readonly journal: Journal,
    private readonly dirty: DirtyDocuments,
  ) {}

  get size(): number {
    return this.document.values.length;
  }

  /** How many items are in each group; items that have not started are in none. */
  get counts(): ItemCounts {
    return this.census;
  }

  /** How many items have been started. */
  get started(): number {
    return this.startedCount;
  }

  statusOf(index: number): WorkflowStatus | undefined {
    return this.runs[index]?.status;
  }

  /** The results in item order; null where there is none. */
  results(): unknown[] {
    return Array.from({ length: this.size }, (_, index) => this.runs[index]?.result ?? null);
  }

  /** The first items that have not started. */
  pending(limit: number): number[] {
    while (this.cursor < this.size && this.runs[this.cursor] !== undefined) this.cursor += 1;
    const found: number[] = [];
    for (let index = this.cursor; index < this.size && found.length < limit; index += 1) {
      if (this.runs[index] === undefined) found.push(index);
    }
    return found;
  }

  set(index: number, status: WorkflowStatus, result: unknown): void {
    const items = this.document.index;
    const key = `item/${items}/${index}`;
    const before = this.runs[index];
    const kept = result === undefined ? before?.result : result;
    const run: ItemDocument = {
      kind: 'item',
      key,
      items,
      index,
      status,
      ...(kept === undefined ? {} : { result: kept }),
    };
    this.replace(index, run);
    this.dirty.put(run, before === undefined);
  }

  /** Makes items startable again: all of them, or those that have not succeeded. */
  reset(all: boolean): void {
    this.journal.set(this as unknown as { cursor: number }, 'cursor', 0);
    this.runs.forEach((run, index) => {
      if (run === undefined || (run.status === 'succeeded' && !all)) return;
      this.replace(index, undefined);
      this.dirty.remove(run.key);
    });
  }

  /** Restores a stored item. */
  restore(run: ItemDocument): void {
    this.runs[run.index] = run;
    this.count(run, 1);
  }

  private replace(index: number, run: ItemDocument | undefined): void {
    const before = this.runs[index];
    const swap = (old: ItemDocument | undefined, now: ItemDocument | undefined): void => {
      this.count(old, -1);
      this.runs[index] = now;
      this.count(now, 1);
    };
    swap(before, run);
    this.journal.record(() => swap(run, before));
  }

  private count(run: ItemDocument | undefined, by: 1 | -1): void {
    if (run === undefined) return;
    this.startedCount += by;
    const group = groupOf(run.status);
    if (group !== undefined) this.census[group] += by;
  }
}

export function groupOf(status: WorkflowStatus): ItemGroup | undefined {
  if (status === 'pending' || status === 'paused') return 'paused';
  if (status === 'canceled' || status === 'succeeded') return status;
  if (COMPLETED.has(status)) return 'failed';
  return ACTIVE.has(status) ? 'active' : undefined;
}

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
