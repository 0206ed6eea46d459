import type { TokenRecord } from '@switchyard/model';
import type { Collection } from '../collection';

export interface TokenRepository {
  insert(record: TokenRecord): Promise<TokenRecord>;
  byHash(hash: string): Promise<TokenRecord | undefined>;
  remove(id: string): Promise<boolean>;
}

export const tokenRepository = (tokens: Collection<TokenRecord>): TokenRepository => ({
  insert: (record) => tokens.insert(record),
  byHash: (hash) => tokens.findOne({ token_hash: hash }),
  remove: (id) => tokens.remove(id),
});
