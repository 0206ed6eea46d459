import type { TokenRecord } from '@switchyard/model';
import type { Collection } from '../collection';

export interface TokenRepository {
  insert(record: TokenRecord): Promise<TokenRecord>;
  byHash(hash: string): Promise<TokenRecord | undefined>;
  /** @returns false if the token no longer exists */
  extend(id: string, expiry: Date): Promise<boolean>;
  remove(id: string): Promise<boolean>;
}

export const tokenRepository = (tokens: Collection<TokenRecord>): TokenRepository => ({
  insert: (record) => tokens.insert(record),
  byHash: (hash) => tokens.findOne({ token_hash: hash }),
  extend: async (id, expiry) => (await tokens.change({ _id: id }, { set: { expiry } })) !== undefined,
  remove: (id) => tokens.remove(id),
});
