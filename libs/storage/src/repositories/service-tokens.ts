import type { TokenRecord } from '@switchyard/model';
import type { TokenRepository } from './tokens';

/** Expired tokens are removed when there are this many. Most tokens are revoked long before. */
const MOST_BEFORE_CLEANING = 1000;

/**
 * Keeps the tokens of actions and sensors in memory, and all others in the store. Only for a store that no other
 * process uses: actions and sensors do not outlive the process, so their tokens are not needed afterwards.
 */
export function serviceTokensInMemory(stored: TokenRepository, nowMs: () => number = Date.now): TokenRepository {
  const { byId, byHash, keep, drop, ofUser: keptOf } = keptTokens(nowMs);
  const validOf = (user: string, now: Date) => keptOf(user).filter(({ expiry }) => expiry > now);

  return {
    // Tokens in memory are removed when they expire.
    oldest: stored.oldest,
    async removeAll(ids) {
      const others = ids.filter((id) => !byId.has(id));
      const kept = ids.flatMap((id) => byId.get(id) ?? []);
      for (const record of kept) drop(record);
      return kept.length + (others.length === 0 ? 0 : await stored.removeAll(others));
    },
    async insert(record) {
      if (!record.service) return stored.insert(record);
      keep(record);
      return record;
    },
    get: async (id) => byId.get(id) ?? stored.get(id),
    byHash: async (hash) => byHash.get(hash) ?? stored.byHash(hash),
    async ofUser(user, now, { limit, offset = 0 } = {}) {
      const kept = validOf(user, now);
      if (kept.length === 0) return stored.ofUser(user, now, { offset, ...(limit === undefined ? {} : { limit }) });
      const end = limit === undefined ? undefined : offset + limit;
      const others = await stored.ofUser(user, now, end === undefined ? {} : { limit: end });
      return [...others, ...kept].sort((a, b) => (a._id < b._id ? -1 : 1)).slice(offset, end);
    },
    countOfUser: async (user, now) => validOf(user, now).length + (await stored.countOfUser(user, now)),
    async extend(id, expiry) {
      const record = byId.get(id);
      if (!record) return stored.extend(id, expiry);
      keep({ ...record, expiry });
      return true;
    },
    async remove(id) {
      const record = byId.get(id);
      if (!record) return stored.remove(id);
      drop(record);
      return true;
    },
    async removeOfUser(user) {
      const kept = keptOf(user);
      for (const record of kept) drop(record);
      return kept.length + (await stored.removeOfUser(user));
    },
  };
}

/** The tokens in memory. */
function keptTokens(nowMs: () => number) {
  const byId = new Map<string, TokenRecord>();
  const byHash = new Map<string, TokenRecord>();
  let cleanedAt = MOST_BEFORE_CLEANING;
  const drop = ({ _id, token_hash: hash }: TokenRecord) => {
    byId.delete(_id);
    byHash.delete(hash);
  };
  const clean = () => {
    if (byId.size < cleanedAt) return;
    for (const record of byId.values()) if (record.expiry.getTime() <= nowMs()) drop(record);
    cleanedAt = Math.max(MOST_BEFORE_CLEANING, 2 * byId.size);
  };
  return {
    byId: byId as ReadonlyMap<string, TokenRecord>,
    byHash: byHash as ReadonlyMap<string, TokenRecord>,
    drop,
    keep(record: TokenRecord): void {
      clean();
      byId.set(record._id, record);
      byHash.set(record.token_hash, record);
    },
    ofUser: (user: string) => [...byId.values()].filter((record) => record.user === user),
  };
}
