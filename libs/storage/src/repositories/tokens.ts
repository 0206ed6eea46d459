import { MS_MICROS } from '@switchyard/base';
import type { TokenRecord } from '@switchyard/model';
import type { Collection } from '../collection';
import { agedRecords, type AgedRecords } from './aged-records';
import type { RecordPage } from '../filter';

export interface TokenRepository extends AgedRecords<TokenRecord> {
  insert(record: TokenRecord): Promise<TokenRecord>;
  get(id: string): Promise<TokenRecord | undefined>;
  byHash(hash: string): Promise<TokenRecord | undefined>;
  /** The tokens of a user that have not expired at `now`, the oldest first. */
  ofUser(user: string, now: Date, page?: Pick<RecordPage<TokenRecord>, 'limit' | 'offset'>): Promise<TokenRecord[]>;
  countOfUser(user: string, now: Date): Promise<number>;
  /** @returns false if the token no longer exists */
  extend(id: string, expiry: Date): Promise<boolean>;
  remove(id: string): Promise<boolean>;
  /** @returns the number of removed tokens, with those that have expired */
  removeOfUser(user: string): Promise<number>;
}

export const tokenRepository = (tokens: Collection<TokenRecord>): TokenRepository => ({
  ...agedRecords(tokens, 'expiry', { asStored: (before) => new Date(before / MS_MICROS) }),
  insert: (record) => tokens.insert(record),
  get: (id) => tokens.get(id),
  byHash: (hash) => tokens.findOne({ token_hash: hash }),
  ofUser: (user, now, page = {}) => tokens.list({ ...page, filter: validOf(user, now), sort: { _id: 1 } }),
  countOfUser: (user, now) => tokens.count(validOf(user, now)),
  extend: async (id, expiry) => (await tokens.change({ _id: id }, { set: { expiry } })) !== undefined,
  remove: (id) => tokens.remove(id),
  removeOfUser: (user) => tokens.removeAll({ user }),
});

const validOf = (user: string, now: Date) => ({ user, expiry: { $gt: now } });
