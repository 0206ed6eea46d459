import { SECOND_MS, type Clock } from '@switchyard/base';

/** How long a look-up is reused. A credential revoked by another process stops working here after this time at the latest. */
const FRESH_MS = 1.5 * SECOND_MS;
const MOST_ENTRIES = 10_000;

/**
 * Caches look-ups briefly. Requests that come during one share it and its failure. Misses are neither cached nor shared, so that a
 * new token works at once.
 */
export interface RecentLookups<T> {
  get(key: string, find: () => Promise<T | undefined>): Promise<T | undefined>;
  /** Removes an entry; a look-up in progress does not put it back. */
  forget(key: string): void;
}

export function recentLookups<T>(clock: Pick<Clock, 'monotonicMs'>): RecentLookups<T> {
  const entries = new Map<string, { value: T; until: number }>();
  const underWay = new Map<string, { readonly found: Promise<T | undefined>; readonly until: number }>();
  let forgotten = 0;
  /** The age is counted from before the look-up, because its result may be that old. */
  const lookUp = async (key: string, find: () => Promise<T | undefined>, until: number) => {
    const before = forgotten;
    const value = await find();
    if (value === undefined || before !== forgotten) return value;
    if (entries.size >= MOST_ENTRIES) entries.delete(entries.keys().next().value as string);
    entries.set(key, { value, until });
    return value;
  };
  return {
    async get(key, find) {
      const asked = clock.monotonicMs();
      const entry = entries.get(key);
      if (entry && entry.until > asked) return entry.value;
      entries.delete(key);
      const current = underWay.get(key);
      const shared = current && current.until > asked ? await current.found : undefined;
      if (shared !== undefined) return shared;
      const own = { found: lookUp(key, find, asked + FRESH_MS), until: asked + FRESH_MS };
      underWay.set(key, own);
      try {
        return await own.found;
      } finally {
        if (underWay.get(key) === own) underWay.delete(key);
      }
    },
    forget(key) {
      forgotten += 1;
      entries.delete(key);
      underWay.delete(key);
    },
  };
}
