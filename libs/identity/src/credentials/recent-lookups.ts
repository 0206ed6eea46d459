import { SECOND_MS, type Clock } from '@switchyard/base';

/** How long a look-up is reused. A credential revoked by another process stops working here after this time at the latest. */
const FRESH_MS = 1.5 * SECOND_MS;
const MOST_ENTRIES = 10_000;

/** Caches look-ups briefly. Misses are not cached, so that a new token works at once. */
export interface RecentLookups<T> {
  get(key: string, find: () => Promise<T | undefined>): Promise<T | undefined>;
  /** Removes an entry; a look-up in progress does not put it back. */
  forget(key: string): void;
}

export function recentLookups<T>(clock: Pick<Clock, 'monotonicMs'>): RecentLookups<T> {
  const entries = new Map<string, { value: T; until: number }>();
  let forgotten = 0;
  return {
    async get(key, find) {
      const entry = entries.get(key);
      // The age is counted from before the look-up, because its result may be that old.
      const asked = clock.monotonicMs();
      if (entry && entry.until > asked) return entry.value;
      entries.delete(key);
      const before = forgotten;
      const value = await find();
      if (value === undefined || before !== forgotten) return value;
      if (entries.size >= MOST_ENTRIES) entries.delete(entries.keys().next().value as string);
      entries.set(key, { value, until: asked + FRESH_MS });
      return value;
    },
    forget(key) {
      forgotten += 1;
      entries.delete(key);
    },
  };
}
