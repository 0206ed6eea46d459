import type { ResourceRepository } from './resources';

/** Beyond this number, the cache is cleared, so that old records do not stay in memory. */
const MOST_KNOWN = 500;

/**
 * Caches `byKey` for a while, for records that every request needs and that rarely change. A change by this process takes
 * effect immediately, one by another process after at most `freshMs` milliseconds.
 */
export function remembering<T extends { _id: string }>(
  records: ResourceRepository<T>,
  freshMs: number,
  nowMs: () => number = () => performance.now(),
): ResourceRepository<T> {
  let known = new Map<string, { readonly record: Promise<T | undefined>; readonly atMs: number }>();
  /** A value read before a change must not be cached after it. */
  const forgetting = async <R>(change: Promise<R>): Promise<R> => {
    try {
      return await change;
    } finally {
      known = new Map();
    }
  };
  const byKey = async (key: string): Promise<T | undefined> => {
    const found = known.get(key);
    if (found && nowMs() - found.atMs < freshMs) return found.record;
    if (known.size >= MOST_KNOWN) known = new Map();
    const [into, reading] = [known, { record: records.byKey(key), atMs: nowMs() }];
    into.set(key, reading);
    const forget = () => void (into.get(key) === reading && into.delete(key));
    const record = await reading.record.catch((error: unknown) => {
      forget();
      throw error;
    });
    // Another process may create it at any time, so absence is not cached.
    if (!record) forget();
    return record;
  };
  return {
    ...records,
    byKey,
    find: async (keyOrId) => (await byKey(keyOrId)) ?? (await records.get(keyOrId)),
    insert: (record) => forgetting(records.insert(record)),
    replace: (record) => forgetting(records.replace(record)),
    upsert: (record) => forgetting(records.upsert(record)),
    remove: (id) => forgetting(records.remove(id)),
  };
}
