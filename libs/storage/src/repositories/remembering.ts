import type { ResourceRepository } from './resources';

/**
 * Caches `byKey` for a while, for records that every request needs and that rarely change. A change by this process takes
 * effect immediately, one by another process after at most `freshMs` milliseconds.
 */
export function remembering<T extends { _id: string }>(
  records: ResourceRepository<T>,
  freshMs: number,
  nowMs: () => number = () => performance.now(),
): ResourceRepository<T> {
  let known = new Map<string, { readonly record: T | undefined; readonly atMs: number }>();
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
    const into = known;
    const atMs = nowMs();
    const record = await records.byKey(key);
    if (record) into.set(key, { record, atMs });
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
