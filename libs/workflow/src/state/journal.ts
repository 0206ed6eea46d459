import type { StateDocument } from './documents';

/**
 * Undoes the changes of a failed call, so that a call applies completely or not at all (I2). Every change of the state
 * goes through it.
 */
export class Journal {
  private readonly undos: (() => void)[] = [];

  /** @param undo reverts a change that has just been made */
  record(undo: () => void): void {
    this.undos.push(undo);
  }

  set<T extends object, K extends keyof T>(target: T, key: K, value: T[K]): void {
    const before = target[key];
    target[key] = value;
    this.undos.push(() => {
      target[key] = before;
    });
  }

  patch<T extends object>(target: T, changes: Partial<T>): void {
    for (const key of Object.keys(changes) as (keyof T)[]) this.set(target, key, changes[key] as T[keyof T]);
  }

  append<T>(list: T[], value: T): void {
    list.push(value);
    this.undos.push(() => list.pop());
  }

  put<K, V>(map: Map<K, V>, key: K, value: V): void {
    const before = map.get(key);
    map.set(key, value);
    this.undos.push(() => (before === undefined ? map.delete(key) : map.set(key, before)));
  }

  remove<K, V>(map: Map<K, V>, key: K): void {
    const before = map.get(key);
    if (before === undefined) return;
    map.delete(key);
    this.undos.push(() => map.set(key, before));
  }

  include<T>(set: Set<T>, value: T): void {
    if (set.has(value)) return;
    set.add(value);
    this.undos.push(() => set.delete(value));
  }

  exclude<T>(set: Set<T>, value: T): void {
    if (set.delete(value)) this.undos.push(() => set.add(value));
  }

  rollback(): void {
    for (let undo = this.undos.pop(); undo !== undefined; undo = this.undos.pop()) undo();
  }

  commit(): void {
    this.undos.length = 0;
  }
}

interface Mark {
  /** Null: removed. */
  readonly document: StateDocument | null;
  /** Whether the store does not have it yet. */
  readonly fresh: boolean;
}

/**
 * Tracks which documents have changed since the last report; those of the current call are kept apart until it commits.
 */
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

/** A document as held by the state; changes go through the journal only. */
export type Mutable<T> = { -readonly [K in keyof T]: T[K] };
