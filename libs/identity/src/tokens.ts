import { createHash } from 'node:crypto';
import { DAY_MS, fault, MS_MICROS, newId, randomHex, SECOND_MS, type Clock } from '@switchyard/base';
import type { TokenRecord, UserRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import { checkKeyLimits } from './credentials/key-limits';
import { recentLookups } from './credentials/recent-lookups';
import { ensureUser } from './users';

export interface TokenRequest {
  readonly user: string;
  /** Lifetime. Default: `maxTtlSeconds`. */
  readonly ttlSeconds?: number | undefined;
  /** For an action or sensor: `maxTtlSeconds` does not limit its lifetime. */
  readonly service?: boolean;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** For an action: limits it to the permissions of this role. */
  readonly role?: string | undefined;
  /** The client's address, for the list of tokens. */
  readonly address?: string | undefined;
  readonly client?: string | undefined;
}

/** A token for unattended programs, limited to the permissions of a role. */
export interface UnattendedTokenRequest extends Pick<TokenRequest, 'user' | 'address' | 'client'> {
  /** The service that uses it. */
  readonly serviceName: string;
  /** The role must exist. */
  readonly role: string;
  readonly expiryMicros: number;
}

/** A token as its holder receives it. Its text is not stored, so it cannot be shown again. */
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
   * Creates a token, and the user's record if there is none.
   * @throws Fault `auth.ttl-too-long`, `auth.ttl-invalid`
   */
  issueToken(request: TokenRequest): Promise<IssuedToken>;
  /** Creates a token for unattended use, which belongs to a user. @throws Fault `auth.key-limit` */
  issueUnattended(request: UnattendedTokenRequest): Promise<IssuedToken>;
  /** Finds a record, expired or not. The answer may be up to two seconds old. */
  find(token: string): Promise<TokenRecord | undefined>;
  /** True for a token that exists and has not expired. */
  isValid(token: string): Promise<boolean>;
  isExpired(record: TokenRecord): boolean;
  /** Sets the lifetime of the token of an action or sensor, counted from now. @returns false when there is no such token */
  extend(token: string, ttlSeconds: number): Promise<boolean>;
  /** Revokes a token. It stops working here at once, in other processes within two seconds. @returns false for an unknown token */
  revoke(token: string): Promise<boolean>;
  /** The same for a token that this process has issued, without looking it up. */
  revokeIssued(issued: Pick<IssuedToken, 'id' | 'token'>): Promise<boolean>;
  /** One page of a user's tokens that have not expired, and their number. */
  ofUser(user: string, page: TokenPage): Promise<{ readonly records: readonly TokenRecord[]; readonly total: number }>;
  byId(id: string): Promise<TokenRecord | undefined>;
  /** Revokes the token of a record, like `revoke`. */
  revokeRecord(record: TokenRecord): Promise<boolean>;
  /** Revokes all tokens of a user, like `revoke`. @returns how many had not expired */
  revokeAll(user: string): Promise<number>;
}

export interface TokenPage {
  readonly limit?: number;
  readonly offset: number;
}

export interface TokensDependencies {
  readonly store: Pick<Store, 'tokens' | 'users' | 'roles'>;
  readonly clock: Pick<Clock, 'nowMicros' | 'monotonicMs'>;
  /** Default and maximum lifetime of users' tokens. */
  readonly maxTtlSeconds: number;
}

const TOKEN_DIGITS = 32;
const LONGEST_CLIENT = 200;
const LONGEST_UNATTENDED_MS = 10 * 366 * DAY_MS;

export function createTokens({ store, clock, maxTtlSeconds }: TokensDependencies): Tokens {
  const recent = recentLookups<TokenRecord>(clock);
  const nowMs = () => clock.nowMicros() / MS_MICROS;
  const find = (token: string) => {
    const hash = tokenHash(token);
    return recent.get(hash, () => store.tokens.byHash(hash));
  };
  const revokeRecord = async ({ _id, token_hash: hash }: Pick<TokenRecord, '_id' | 'token_hash'>) => {
    const removed = await store.tokens.remove(_id);
    recent.forget(hash);
    return removed;
  };
  const isExpired = (record: TokenRecord) => record.expiry.getTime() <= nowMs();
  return {
    find,
    isExpired,
    ...tokenIssuer({ store, clock, maxTtlSeconds }),
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
      const record = await store.tokens.byHash(tokenHash(token));
      recent.forget(tokenHash(token));
      return record !== undefined && revokeRecord(record);
    },
    async ofUser(user, page) {
      const now = new Date(nowMs());
      const [records, total] = await Promise.all([
        store.tokens.ofUser(user, now, page),
        store.tokens.countOfUser(user, now),
      ]);
      return { records, total };
    },
    byId: (id) => store.tokens.get(id),
    revokeRecord,
    revokeIssued: ({ id, token }) => revokeRecord({ _id: id, token_hash: tokenHash(token) }),
    async revokeAll(user) {
      const valid = await store.tokens.ofUser(user, new Date(nowMs()));
      await store.tokens.removeOfUser(user);
      for (const { token_hash: hash } of valid) recent.forget(hash);
      return valid.length;
    },
  };
}

/** Creates tokens. */
function tokenIssuer({
  store,
  clock,
  maxTtlSeconds,
}: TokensDependencies): Pick<Tokens, 'issueToken' | 'issueUnattended'> {
  /** Each action with a process gets a token, mostly for the same few users. */
  const users = recentLookups<UserRecord>(clock);
  return {
    async issueToken(request) {
      const { user, ttlSeconds = maxTtlSeconds, service = false } = request;
      checkLifetime(ttlSeconds, service ? Number.MAX_SAFE_INTEGER : maxTtlSeconds);
      await users.get(user, () => ensureUser(store.users, user));
      const { issued, record } = newToken({ ...request, ttlSeconds, service }, clock.nowMicros());
      await store.tokens.insert(record);
      return issued;
    },
    async issueUnattended({ serviceName, role, expiryMicros, ...request }) {
      await checkKeyLimits(store.roles, { role });
      const now = clock.nowMicros();
      const ttlSeconds = (expiryMicros - now) / (MS_MICROS * SECOND_MS);
      if (ttlSeconds <= 0 || ttlSeconds * SECOND_MS > LONGEST_UNATTENDED_MS) {
        throw fault('auth.key-limit', { field: 'expires_at', text: 'expected a time within the next ten years' });
      }
      await ensureUser(store.users, request.user);
      const { issued, record } = newToken({ ...request, role, ttlSeconds, service: false }, now);
      await store.tokens.insert({ ...record, service_name: serviceName });
      return issued;
    },
  };
}

/** A new token as its holder receives it, and as it is stored. */
function newToken(
  {
    user,
    ttlSeconds,
    service,
    metadata = {},
    role,
    address,
    client,
  }: TokenRequest & { ttlSeconds: number; service: boolean },
  nowMicros: number,
): { readonly issued: IssuedToken; readonly record: TokenRecord } {
  const token = randomHex(TOKEN_DIGITS);
  const expiry = new Date(Math.floor(nowMicros / MS_MICROS + ttlSeconds * SECOND_MS));
  const id = newId();
  const shared = { user, expiry, service, metadata: { ...metadata } };
  const record = {
    _id: id,
    ...shared,
    token_hash: tokenHash(token),
    created_at: nowMicros,
    ...(role === undefined ? {} : { role }),
    ...(address === undefined ? {} : { address }),
    ...(client === undefined ? {} : { client: client.slice(0, LONGEST_CLIENT) }),
  };
  return { issued: { id, ...shared, token }, record };
}

function checkLifetime(ttl: number, maximum: number): void {
  if (!Number.isInteger(ttl) || ttl < 1) throw fault('auth.ttl-invalid', { ttl });
  if (ttl > maximum) throw fault('auth.ttl-too-long', { ttl, maximum });
}

/** The stored hash of a token. Tokens are random, so a plain hash without salt cannot be reversed. */
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('hex');
