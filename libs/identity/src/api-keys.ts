import { createHash } from 'node:crypto';
import { fault, isId, MINUTE_MS, MS_MICROS, newId, type Clock, randomHex } from '@switchyard/base';
import type { ApiKeyRecord } from '@switchyard/model';
import type { Filter, RecordPage, Store } from '@switchyard/storage';
import { checkKeyLimits, type KeyLimits } from './credentials/key-limits';
import { recentLookups } from './credentials/recent-lookups';
import { ensureUser } from './users';

export interface ApiKeyRequest {
  readonly user: string;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly enabled?: boolean | undefined;
  /** For an import: the id of the key, and its hash instead of a new key. */
  readonly id?: string | undefined;
  readonly keyHash?: string | undefined;
  readonly limits?: KeyLimits;
}

export interface ApiKeyChange {
  readonly user: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly enabled: boolean;
  readonly limits: KeyLimits;
}

export interface ApiKeys {
  /**
   * Creates a key, and the user's record if there is none.
   * @returns the record and the key, which cannot be retrieved later; undefined for an imported key
   * @throws Fault `auth.key-hash-invalid`, `auth.key-id-invalid`, `auth.key-limit`, `storage.duplicate`
   */
  create(request: ApiKeyRequest): Promise<{ record: ApiKeyRecord; key: string | undefined }>;
  /** Finds a record by key, then by id. Always reads the store. */
  find(keyOrId: string): Promise<ApiKeyRecord | undefined>;
  /** Finds a record by key. The answer may be up to two seconds old. */
  lookUp(key: string): Promise<ApiKeyRecord | undefined>;
  each(page: RecordPage<ApiKeyRecord>): AsyncIterable<ApiKeyRecord>;
  count(filter: Filter<ApiKeyRecord>): Promise<number>;
  /** @returns the changed record, or undefined when it was removed meanwhile. @throws Fault `auth.key-limit` */
  change(record: ApiKeyRecord, change: ApiKeyChange): Promise<ApiKeyRecord | undefined>;
  /** Removes a key. It stops working here at once, in other processes within two seconds. */
  remove(record: ApiKeyRecord): Promise<boolean>;
  /** Records that a key is used now, once a minute at most. Never rejects. */
  noteUse(record: ApiKeyRecord): Promise<void>;
}

export interface ApiKeysDependencies {
  readonly store: Pick<Store, 'apiKeys' | 'users' | 'roles'>;
  readonly clock: Pick<Clock, 'nowMicros' | 'monotonicMs'>;
}

export function createApiKeys({ store, clock }: ApiKeysDependencies): ApiKeys {
  const recent = recentLookups<ApiKeyRecord>(clock);
  return {
    async create(request) {
      checkImport(request);
      await checkKeyLimits(store.roles, request.limits ?? {});
      const { key, hash } = material(request.keyHash);
      await ensureUser(store.users, request.user);
      const record: ApiKeyRecord = {
        _id: request.id ?? newId(),
        uid: `api_key:${hash}`,
        user: request.user,
        key_hash: hash,
        metadata: { ...request.metadata },
        created_at: clock.nowMicros(),
        enabled: request.enabled ?? true,
        ...request.limits,
      };
      return { record: await store.apiKeys.insert(record), key };
    },
    find: async (keyOrId) =>
      (await store.apiKeys.byKey(apiKeyHash(keyOrId))) ??
      (isId(keyOrId) ? await store.apiKeys.get(keyOrId) : undefined),
    lookUp(key) {
      const hash = apiKeyHash(key);
      return recent.get(hash, () => store.apiKeys.byKey(hash));
    },
    each: (page) => store.apiKeys.each(page),
    count: (filter) => store.apiKeys.count(filter),
    async change(record, { user, metadata, enabled, limits }) {
      await checkKeyLimits(store.roles, limits);
      await ensureUser(store.users, user);
      const { role, permission_grants, allowed_addresses, expires_at, ...kept } = record;
      const changed = { ...kept, user, metadata: { ...metadata }, enabled, ...limits };
      const done = await store.apiKeys.replace(changed);
      recent.forget(record.key_hash);
      return done ? changed : undefined;
    },
    async remove(record) {
      const removed = await store.apiKeys.remove(record._id);
      recent.forget(record.key_hash);
      return removed;
    },
    noteUse: lastUses(store.apiKeys, clock),
  };
}

const NOTED_MICROS = MINUTE_MS * MS_MICROS;
const MOST_NOTED = 10_000;

/** The record says when the key was last used as far as this process knows, so most calls need no store. */
function lastUses(
  keys: Pick<Store['apiKeys'], 'noteUse'>,
  clock: Pick<Clock, 'nowMicros'>,
): (record: ApiKeyRecord) => Promise<void> {
  const noted = new Map<string, number>();
  return async ({ _id: id, last_used_at: stored = 0 }) => {
    const now = clock.nowMicros();
    const due = now - NOTED_MICROS;
    if (stored > due || (noted.get(id) ?? 0) > due) return;
    if (noted.size >= MOST_NOTED) noted.clear();
    noted.set(id, now);
    try {
      await keys.noteUse(id, now, due);
    } catch {
      // The request continues without it, and the next one tries again.
      noted.delete(id);
    }
  };
}

function checkImport({ id, keyHash }: ApiKeyRequest): void {
  if (id !== undefined && !isId(id)) throw fault('auth.key-id-invalid');
  if (keyHash !== undefined && !isApiKeyHash(keyHash)) throw fault('auth.key-hash-invalid');
}

function material(imported: string | undefined): { key: string | undefined; hash: string } {
  if (imported !== undefined) return { key: undefined, hash: imported };
  const key = newApiKey();
  return { key, hash: apiKeyHash(key) };
}

const RANDOM_DIGITS = 64;
const SALT = 'saltnpepper';

/** Returns 86 characters: 64 random hexadecimal digits as base64 without padding. */
export const newApiKey = (): string => Buffer.from(randomHex(RANDOM_DIGITS)).toString('base64').replace(/=+$/, '');

/**
 * The stored hash of a key. The fixed prefix is the reference's, so that its exported keys can be imported. A key has
 * 256 random bits, so a slow hash is unnecessary.
 */
export const apiKeyHash = (key: string): string =>
  createHash('sha512')
    .update(SALT + key)
    .digest('hex');

/** Whether a text has the form of an `apiKeyHash`. */
export const isApiKeyHash = (text: string): boolean => /^[0-9a-f]{128}$/.test(text);
