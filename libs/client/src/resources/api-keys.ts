import { isNotFound } from '../api-error';
import type { Call, QueryValue } from '../transport/call';
import type { Transport } from '../transport/transport';
import { readAll } from './list-query';

export interface ApiKey {
  id: string;
  uid: string;
  user: string;
  key_hash: string;
  metadata: Record<string, unknown>;
  created_at: string;
  enabled: boolean;
}

/** The only answer that holds the key itself. */
export interface NewApiKey extends Omit<ApiKey, 'key_hash'> {
  key: string | null;
}

/** A key that was made elsewhere: whoever has it can go on using it. */
export type ApiKeyToLoad = Pick<ApiKey, 'user' | 'key_hash' | 'metadata' | 'enabled'> & { readonly id?: string };

export interface ApiKeys {
  list(options?: { user?: string | undefined; showSecrets?: boolean | undefined }): Promise<ApiKey[]>;
  /** @throws ApiError with status 404 when there is none */
  get(idOrKey: string): Promise<ApiKey>;
  create(options?: { user?: string | undefined; metadata?: Record<string, unknown> | undefined }): Promise<NewApiKey>;
  /** Changes the key with this id; creates it when there is none. */
  load(key: ApiKeyToLoad): Promise<Omit<ApiKey, 'key_hash'>>;
  setEnabled(key: ApiKey, enabled: boolean): Promise<ApiKey>;
  delete(idOrKey: string): Promise<void>;
}

const PATH = ['apikeys'];

/** The key itself may stand in the address, so it is kept out of messages. */
const keyCall = (method: Call['method'], idOrKey: string): Call => ({
  service: 'api',
  method,
  path: [...PATH, idOrKey],
  ...(/^[0-9a-f]{24}$/.test(idOrKey) ? {} : { secrets: [idOrKey] }),
});

export const createApiKeys = (transport: Transport): ApiKeys => ({
  load: (key) => loadKey(transport, key),
  list({ user, showSecrets } = {}) {
    const filters: Record<string, QueryValue> = { user, show_secrets: showSecrets || undefined };
    return readAll<ApiKey>(transport, PATH, { filters });
  },
  get: async (idOrKey) => (await transport.json<ApiKey>(keyCall('GET', idOrKey))).body,
  create: async (body = {}) =>
    (await transport.json<NewApiKey>({ service: 'api', method: 'POST', path: PATH, body })).body,
  setEnabled: async (key, enabled) =>
    (await transport.json<ApiKey>({ ...keyCall('PUT', key.id), body: { ...key, enabled } })).body,
  async delete(idOrKey) {
    await transport.text(keyCall('DELETE', idOrKey));
  },
});

async function loadKey(transport: Transport, key: ApiKeyToLoad): Promise<Omit<ApiKey, 'key_hash'>> {
  if (key.id !== undefined)
    try {
      return (await transport.json<ApiKey>({ ...keyCall('PUT', key.id), body: key })).body;
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  return (await transport.json<NewApiKey>({ service: 'api', method: 'POST', path: PATH, body: key })).body;
}
