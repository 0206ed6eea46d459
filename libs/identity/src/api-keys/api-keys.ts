import { fault, isId, newId, type Clock } from '@switchyard/base';
import type { ApiKeyRecord } from '@switchyard/model';
import type { Page, Store } from '@switchyard/storage';
import { recentLookups } from '../credentials/recent-lookups';
import { ensureUser } from '../users/ensure-user';
import { apiKeyHash, isApiKeyHash, newApiKey } from './api-key-material';

export interface ApiKeyRequest {
  readonly user: string;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly enabled?: boolean | undefined;
  /** Given when a key is imported: its id, and its hash in place of a new key. */
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
   * Makes a key, and the user's record if there is none.
   * @returns the record, and the key itself, which is known now only; undefined for an imported one
   * @throws Fault `auth.key-hash-invalid`, `auth.key-id-invalid`, `storage.duplicate`
   */
  create(request: ApiKeyRequest): Promise<{ record: ApiKeyRecord; key: string | undefined }>;
  /** By the key itself, then by id. Always from the store. */
  find(keyOrId: string): Promise<ApiKeyRecord | undefined>;
  /** By the key itself, as of at most two seconds ago. */
  lookUp(key: string): Promise<ApiKeyRecord | undefined>;
  each(page: Page): AsyncIterable<ApiKeyRecord>;
  count(filter: NonNullable<Page['filter']>): Promise<number>;
  /** @returns the record as it is now, or undefined when it is gone */
  change(record: ApiKeyRecord, change: ApiKeyChange): Promise<ApiKeyRecord | undefined>;
  /** Ends a key: here at once, in other processes within two seconds. */
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
