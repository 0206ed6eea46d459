import { fault, MS_MICROS, newId, randomHex, SECOND_MS, type Clock } from '@switchyard/base';
import type { TokenRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import { recentLookups } from '../credentials/recent-lookups';
import { ensureUser } from '../users/ensure-user';
import { tokenHash } from './token-hash';

export interface TokenRequest {
  readonly user: string;
  /** Lifetime; `maxTtlSeconds` when absent. */
  readonly ttlSeconds?: number | undefined;
  /** Token of an action or sensor: its lifetime is not limited by `maxTtlSeconds`. */
  readonly service?: boolean;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** A token as its holder gets it: the only time that its text is known here. */
export interface IssuedToken {
  readonly id: string;
  readonly user: string;
  readonly token: string;
  readonly expiry: Date;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly service: boolean;
}

export interface Tokens {
  /**
   * Makes a token, and the user's record if there is none.
   * @throws Fault `auth.ttl-too-long`, `auth.ttl-invalid`
   */
  issueToken(request: TokenRequest): Promise<IssuedToken>;
  /** The record of a token, expired or not, as of at most two seconds ago. */
  find(token: string): Promise<TokenRecord | undefined>;
  /** True for a token that exists and has not expired. */
  isValid(token: string): Promise<boolean>;
  isExpired(record: TokenRecord): boolean;
  /** Lets a service token live on for so long from now. @returns false when there is none */
  extend(token: string, ttlSeconds: number): Promise<boolean>;
  /** Ends a token: here at once, in other processes within two seconds. @returns false when there was none */
  revoke(token: string): Promise<boolean>;
}

export interface TokensDependencies {
  readonly store: Pick<Store, 'tokens' | 'users'>;
  readonly clock: Pick<Clock, 'nowMicros' | 'monotonicMs'>;
  /** Default and longest lifetime of the tokens of people. */
  readonly maxTtlSeconds: number;
}

const TOKEN_DIGITS = 32;

export function createTokens({ store, clock, maxTtlSeconds }: TokensDependencies): Tokens {
  const recent = recentLookups<TokenRecord>(clock);
  const nowMs = () => clock.nowMicros() / MS_MICROS;
  const find = (token: string) => {
    const hash = tokenHash(token);
    return recent.get(hash, () => store.tokens.byHash(hash));
  };
  const isExpired = (record: TokenRecord) => record.expiry.getTime() <= nowMs();
  return {
    find,
    isExpired,
    async issueToken({ user, ttlSeconds = maxTtlSeconds, service = false, metadata = {} }) {
      checkLifetime(ttlSeconds, service ? Number.MAX_SAFE_INTEGER : maxTtlSeconds);
      await ensureUser(store.users, user);
      const token = randomHex(TOKEN_DIGITS);
      const expiry = new Date(Math.floor(nowMs() + ttlSeconds * SECOND_MS));
      const kept = { _id: newId(), user, expiry, service, metadata: { ...metadata } };
      await store.tokens.insert({ ...kept, token_hash: tokenHash(token) });
      return { id: kept._id, user, token, expiry, metadata, service };
    },
    async isValid(token) {
      const record = await find(token);
      return record !== undefined && !isExpired(record);
    },
    async extend(token, ttlSeconds) {
      const hash = tokenHash(token);
      const record = await store.tokens.byHash(hash);
      if (!record?.service) return false;
      const extended = await store.tokens.extend(record._id, new Date(Math.floor(nowMs() + ttlSeconds * SECOND_MS)));
      recent.forget(hash);
      return extended;
    },
    async revoke(token) {
      const hash = tokenHash(token);
      const record = await store.tokens.byHash(hash);
      const removed = record !== undefined && (await store.tokens.remove(record._id));
      recent.forget(hash);
      return removed;
    },
  };
}

function checkLifetime(ttl: number, maximum: number): void {
  if (!Number.isInteger(ttl) || ttl < 1) throw fault('auth.ttl-invalid', { ttl });
  if (ttl > maximum) throw fault('auth.ttl-too-long', { ttl, maximum });
}
