import type { StateDocument } from './documents';

interface Mark {
  /** Null: removed. */
  readonly document: StateDocument | null;
  /** The store does not have it yet. */
  readonly fresh: boolean;
}

/** Which documents have changed since the store was told, with those of the present call apart until it commits. */
export class DirtyDocuments {
  private committed = new Map<string, Mark>();
  private readonly pending = new Map<string, Mark>();

  put(document: StateDocument, fresh = false): void {
    const known = this.mark(document.key);
    this.pending.set(document.key, { document, fresh: known?.fresh ?? fresh });
  }

  remove(key: string): void {
    this.pending.set(key, { document: null, fresh: this.mark(key)?.fresh ?? false });
  }

  commit(): boolean {
    const changed = this.pending.size > 0;
    for (const [key, mark] of this.pending) {
      if (mark.document === null && mark.fresh) this.committed.delete(key);
      else this.committed.set(key, mark);
    }
    this.pending.clear();
    return changed;
  }

  rollback(): void {
    this.pending.clear();
  }

  take(): { put: StateDocument[]; removed: string[] } {
    const put: StateDocument[] = [];
    const removed: string[] = [];
    for (const [key, { document }] of this.committed) {
      if (document === null) removed.push(key);
      else put.push({ ...document });
    }
    this.committed = new Map();
    return { put, removed };
  }

  private mark(key: string): Mark | undefined {
    return this.pending.get(key) ?? this.committed.get(key);
  }
}
