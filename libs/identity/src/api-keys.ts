import { createHash } from 'node:crypto';
import { fault, isId, newId, type Clock, randomHex } from '@switchyard/base';
import type { ApiKeyRecord } from '@switchyard/model';
import type { Filter, RecordPage, Store } from '@switchyard/storage';
import { recentLookups } from './credentials/recent-lookups';
import { ensureUser } from './users';

export interface ApiKeyRequest {
  readonly user: string;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly enabled?: boolean | undefined;
  /** For an import: the id of the key, and its hash instead of a new key. */
  readonly id?: string | undefined;
  readonly keyHash?: string | undefined;
}

export interface ApiKeyChange {
  readonly user: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly enabled: boolean;
}

export interface ApiKeys {
  /**
   * Creates a key, and the user's record if there is none.
   * @returns the record and the key, which cannot be retrieved later; undefined for an imported key
   * @throws Fault `auth.key-hash-invalid`, `auth.key-id-invalid`, `storage.duplicate`
   */
  create(request: ApiKeyRequest): Promise<{ record: ApiKeyRecord; key: string | undefined }>;
  /** Finds a record by key, then by id. Always asks the store. */
  find(keyOrId: string): Promise<ApiKeyRecord | undefined>;
  /** Finds a record by key. The answer may be up to two seconds old. */
  lookUp(key: string): Promise<ApiKeyRecord | undefined>;
  each(page: RecordPage<ApiKeyRecord>): AsyncIterable<ApiKeyRecord>;
  count(filter: Filter<ApiKeyRecord>): Promise<number>;
  /** @returns the changed record, or undefined when it was removed meanwhile */
  change(record: ApiKeyRecord, change: ApiKeyChange): Promise<ApiKeyRecord | undefined>;
  /** Removes a key. It stops working here at once, in other processes within two seconds. */
  remove(record: ApiKeyRecord): Promise<boolean>;
}

export interface ApiKeysDependencies {
  readonly store: Pick<Store, 'apiKeys' | 'users'>;
  readonly clock: Pick<Clock, 'nowMicros' | 'monotonicMs'>;
}

export function createApiKeys({ store, clock }: ApiKeysDependencies): ApiKeys {
  const recent = recentLookups<ApiKeyRecord>(clock);
  return {
    async create(request) {
      checkImport(request);
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
    async change(record, { user, metadata, enabled }) {
      await ensureUser(store.users, user);
      const changed = { ...record, user, metadata: { ...metadata }, enabled };
      const done = await store.apiKeys.replace(changed);
      recent.forget(record.key_hash);
      return done ? changed : undefined;
    },
    async remove(record) {
      const removed = await store.apiKeys.remove(record._id);
      recent.forget(record.key_hash);
      return removed;
    },
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
