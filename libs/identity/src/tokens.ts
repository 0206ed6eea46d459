import { createHash } from 'node:crypto';
import {
  DAY_MS,
  fault,
  MS_MICROS,
  newId,
  randomHex,
  SECOND_MS,
  SHARED_CALL_WAIT_MS,
  together,
  type Clock,
} from '@switchyard/base';
import type { TokenRecord, UserRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import { checkKeyLimits } from './credentials/key-limits';
import { recentLookups, type RecentLookups } from './credentials/recent-lookups';
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

/** The token of a run of an action. Other processes need its record, and a run may be over before they do. */
export interface RunToken {
  readonly token: string;
  /** Stores the record. It may be repeated, and does nothing after `revoke`. */
  store(): Promise<void>;
  /** It stops working here at once, in other processes within two seconds. */
  revoke(): Promise<void>;
}

export interface Tokens {
  /**
   * Creates a token, and the user's record if there is none.
   * @throws Fault `auth.ttl-too-long`, `auth.ttl-invalid`
   */
  issueToken(request: TokenRequest): Promise<IssuedToken>;
  /**
   * Creates the token of a run. This process accepts it at once; others wait up to 0.8 s for its record.
   * @throws Fault `auth.ttl-invalid`
   */
  issueForRun(request: Pick<TokenRequest, 'user' | 'role' | 'ttlSeconds' | 'metadata'>): Promise<RunToken>;
  /** Creates a token for unattended use, which belongs to a user. @throws Fault `auth.key-limit` */
  issueUnattended(request: UnattendedTokenRequest): Promise<IssuedToken>;
  /** Finds a record, expired or not. The answer may be up to two seconds old. An unknown token of a run is waited for, see `issueForRun`. */
  find(token: string): Promise<TokenRecord | undefined>;
  /** True for a token that exists and has not expired. */
  isValid(token: string): Promise<boolean>;
  isExpired(record: TokenRecord): boolean;
  /** Sets the lifetime of the token of an action or sensor, counted from now. @returns false when there is no such token */
  extend(token: string, ttlSeconds: number): Promise<boolean>;
  /** Revokes a token. It stops working here at once, in other processes within two seconds. @returns false for an unknown token */
  revoke(token: string): Promise<boolean>;
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
  readonly clock: Pick<Clock, 'nowMicros' | 'monotonicMs' | 'after'>;
  /** Default and maximum lifetime of users' tokens. */
  readonly maxTtlSeconds: number;
}

const TOKEN_DIGITS = 32;
/** Differs from that of other tokens, so that only an unknown token of a run is waited for. */
const RUN_TOKEN_DIGITS = 40;
/** The pauses between look-ups of a token of a run, whose record may not be stored yet. */
const PAUSES_MS = [10, 15, 25, 50, 100, 200, 400];
const LONGEST_CLIENT = 200;
const LONGEST_UNATTENDED_MS = 10 * 366 * DAY_MS;

export function createTokens({ store, clock, maxTtlSeconds }: TokensDependencies): Tokens {
  const recent = recentLookups<TokenRecord>(clock);
  const nowMs = () => clock.nowMicros() / MS_MICROS;
  const runs = runTokens(store.tokens, (hash) => recent.forget(hash));
  const find = tokenFinder({ store, clock, recent, runs });
  const revokeRecord = async ({ _id, token_hash: hash }: Pick<TokenRecord, '_id' | 'token_hash'>) => {
    const removed = await store.tokens.remove(_id);
    recent.forget(hash);
    return removed;
  };
  const isExpired = (record: TokenRecord) => record.expiry.getTime() <= nowMs();
  return {
    find,
    isExpired,
    ...tokenIssuer({ store, clock, maxTtlSeconds, runs }),
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
      if (runs.drop(token)) return true;
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
    async revokeAll(user) {
      const dropped = runs.dropOf(user);
      const valid = await store.tokens.ofUser(user, new Date(nowMs()));
      await store.tokens.removeOfUser(user);
      for (const { token_hash: hash } of valid) recent.forget(hash);
      return valid.length + dropped;
    },
  };
}

/** Finds the record of a token. */
function tokenFinder({
  store,
  clock,
  recent,
  runs,
}: Pick<TokensDependencies, 'store' | 'clock'> & {
  readonly recent: RecentLookups<TokenRecord>;
  readonly runs: RunTokens;
}): Tokens['find'] {
  const lookUp = (token: string) => {
    const hash = tokenHash(token);
    return recent.get(hash, () => store.tokens.byHash(hash));
  };
  const whenStored = async (token: string) => {
    for (const pauseMs of PAUSES_MS) {
      await new Promise<void>((resolve) => void clock.after(pauseMs, resolve));
      const record = await lookUp(token);
      if (record !== undefined) return record;
    }
    return undefined;
  };
  return async (token) => {
    const record = runs.unstored(token) ?? (await lookUp(token));
    return record ?? (token.length === RUN_TOKEN_DIGITS ? whenStored(token) : undefined);
  };
}

/** The tokens of runs whose records are not stored, by their text. */
interface RunTokens {
  add(token: string, record: TokenRecord): RunToken;
  unstored(token: string): TokenRecord | undefined;
  /** @returns false if it is not among them */
  drop(token: string): boolean;
  /** @returns the number of dropped ones */
  dropOf(user: string): number;
}

/** @param forget is called with the hash of a token that was removed from the store */
function runTokens(tokens: Pick<Store['tokens'], 'insert' | 'removeAll'>, forget: (hash: string) => void): RunTokens {
  const unstored = new Map<string, TokenRecord>();
  /** The end of each run removes one. */
  const removeRecord = together(
    async (ids: readonly string[]) => {
      await tokens.removeAll(ids);
      return ids.map(() => undefined);
    },
    { waitMs: SHARED_CALL_WAIT_MS },
  );
  return {
    add(token, record) {
      let storing: Promise<unknown> | undefined;
      const remove = async () => {
        await removeRecord(record._id);
        forget(record.token_hash);
      };
      unstored.set(token, record);
      return {
        token,
        async store() {
          if (!unstored.has(token)) return;
          await (storing = tokens.insert(record));
          const isRevoked = !unstored.delete(token);
          if (isRevoked) await remove();
        },
        async revoke() {
          unstored.delete(token);
          if (storing === undefined) return;
          await storing.catch(() => undefined);
          await remove();
        },
      };
    },
    unstored: (token) => unstored.get(token),
    drop: (token) => unstored.delete(token),
    dropOf(user) {
      const dropped = [...unstored].filter(([, record]) => record.user === user);
      for (const [token] of dropped) unstored.delete(token);
      return dropped.length;
    },
  };
}

/** Creates tokens. */
function tokenIssuer({
  store,
  clock,
  maxTtlSeconds,
  runs,
}: TokensDependencies & { readonly runs: RunTokens }): Pick<Tokens, 'issueToken' | 'issueForRun' | 'issueUnattended'> {
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
    async issueForRun({ user, ttlSeconds = maxTtlSeconds, ...request }) {
      checkLifetime(ttlSeconds, Number.MAX_SAFE_INTEGER);
      await users.get(user, () => ensureUser(store.users, user));
      const asked = { ...request, user, ttlSeconds, service: true, digits: RUN_TOKEN_DIGITS };
      const { issued, record } = newToken(asked, clock.nowMicros());
      return runs.add(issued.token, record);
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
    digits = TOKEN_DIGITS,
  }: TokenRequest & { ttlSeconds: number; service: boolean; digits?: number },
  nowMicros: number,
): { readonly issued: IssuedToken; readonly record: TokenRecord } {
  const token = randomHex(digits);
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
