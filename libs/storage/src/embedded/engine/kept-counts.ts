import { MINUTE_MS } from '@switchyard/base';
import { isDamaged } from '../../bson/read-document';
import type { ParsedFilter } from '../query/parse-filter';
import type { Document } from '../values/document';

/** Identifies a filter: a text, or an object that stands for it. */
export type CountKey = string | object;

interface Kept {
  readonly filter: ParsedFilter;
  /** Whether it is not worth the place of another one. */
  isCheap: boolean;
  /** Undefined while it is counted. */
  count: number | undefined;
  /** Whether a write has changed the count during counting. */
  isStale: boolean;
  usedMs: number;
  /** The number of writes before it was counted. */
  readonly writesBefore: number;
}

/** Each write evaluates all of these filters, before and after. */
const MOST = 4;
const UNUSED_MS = MINUTE_MS;

/**
 * Caches the counts of a few filters of one collection, such as those of a list that is read repeatedly while it grows.
 * Counting the matches of such a filter can mean reading all of them. Each write adjusts the counts, so they are exact.
 */
export class KeptCounts {
  readonly #kept = new Map<CountKey, Kept>();
  readonly #counting = new Set<Kept>();
  /** Further counts, which the next write drops. There may be many: one for each list that the roles of a user permit. */
  readonly #untilWrite = new WeakMap<object, Kept>();
  #writes = 0;

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** @returns undefined if it is not known */
  of(key: CountKey): number | undefined {
    const kept = this.#kept.get(key) ?? this.#sinceLastWrite(key);
    if (kept?.count === undefined) return undefined;
    kept.usedMs = this.nowMs();
    return kept.count;
  }

  /**
   * Call before counting, which may take several turns of the event loop.
   * @returns a function that must be called once: it keeps the count, if there is one and no write has changed it meanwhile. A cheap one is
   * only kept while there is room
   */
  begin(key: CountKey, filter: ParsedFilter): (count: number | undefined, isCheap?: boolean) => void {
    const state = { isCheap: false, count: undefined, isStale: false, usedMs: this.nowMs() };
    const counted: Kept = { ...state, filter, writesBefore: this.#writes };
    this.#counting.add(counted);
    return (count, isCheap = false) => {
      this.#counting.delete(counted);
      if (count === undefined || counted.isStale) return;
      Object.assign(counted, { count, isCheap });
      if (typeof key === 'object') this.#untilWrite.set(key, counted);
      this.#keep(key, counted);
    };
  }

  /** Call for each write. @param before undefined for a new document @param after undefined for a removed one */
  changed(before: Document | undefined, after: Document | undefined): void {
    this.#writes += 1;
    if (this.#kept.size === 0 && this.#counting.size === 0) return;
    if ((before && isDamaged(before)) || (after && isDamaged(after))) return this.clear();
    const limitMs = this.nowMs() - UNUSED_MS;
    for (const [key, kept] of this.#kept) {
      if (kept.usedMs < limitMs) this.#kept.delete(key);
      else kept.count = (kept.count ?? 0) + differenceOf(kept.filter, before, after);
    }
    for (const counted of this.#counting) counted.isStale ||= differenceOf(counted.filter, before, after) !== 0;
  }

  /** Drops all counts, for changes that are not known in detail. */
  clear(): void {
    this.#writes += 1;
    this.#kept.clear();
    for (const counted of this.#counting) counted.isStale = true;
  }

  #sinceLastWrite(key: CountKey): Kept | undefined {
    const counted = typeof key === 'object' ? this.#untilWrite.get(key) : undefined;
    return counted?.writesBefore === this.#writes ? counted : undefined;
  }

  #keep(key: CountKey, counted: Kept): void {
    this.#kept.delete(key);
    this.#kept.set(key, counted);
    if (this.#kept.size <= MOST) return;
    const all = [...this.#kept].sort(([, a], [, b]) => a.usedMs - b.usedMs);
    const least = all.find(([, { isCheap }]) => isCheap) ?? all[0];
    if (least) this.#kept.delete(least[0]);
  }
}

const differenceOf = (filter: ParsedFilter, before: Document | undefined, after: Document | undefined): number =>
  (after && filter.matches(after) ? 1 : 0) - (before && filter.matches(before) ? 1 : 0);
