import type {
  ApiKey,
  CurrentUser,
  ListedToken,
  NewApiKey,
  SingleSignOn,
  TerminalProof,
  Token,
} from '@switchyard/model';
import { isNotFound } from '../api-error';
import type { ClientCredentials } from '../client-options';
import type { ApiCall, QueryValue } from '../transport/call';
import type { ApiTransport } from '../transport/transport';
import { readAll } from './records';

interface TerminalLoginOptions {
  readonly ttlSeconds?: number | undefined;
  readonly signal?: AbortSignal;
}

export interface TokensResource {
  /** Logs in. @throws ApiError with status 401 if the credentials are wrong */
  create(login: ClientCredentials, options?: { ttlSeconds?: number | undefined }): Promise<Token>;
  /** @throws ApiError with status 404 until the login has been confirmed, and after its token was fetched */
  ofTerminalLogin(proof: Omit<TerminalProof, 'ttl'>, options?: TerminalLoginOptions): Promise<Token>;
  /** How users log in with a browser. */
  singleSignOn(): Promise<SingleSignOn>;
  isValid(token: string): Promise<boolean>;
  /** Logs out: the token of this client stops working. */
  revokeOwn(): Promise<void>;
  /** A token for unattended use. @param unattended times as ISO 8601 */
  createUnattended(unattended: UnattendedTokenToCreate): Promise<Token>;
  /** Tokens that have not expired. @param user default: the user of this client */
  list(user?: string): Promise<ListedToken[]>;
  /** @throws ApiError with status 404 if it does not exist */
  revoke(id: string): Promise<void>;
  /** @param user default: the user of this client, whose own token then stops working, too. @returns how many were
   * revoked */
  revokeAll(user?: string): Promise<number>;
}

export interface UnattendedTokenToCreate {
  /** Name of the service that uses it. */
  readonly service: string;
  readonly role: string;
  /** Default: in a year. */
  readonly expires_at?: string | undefined;
}

const ISSUED_TOKENS = ['issued_tokens'];
const SECRET_FIELDS = ['verifier', 'code'];

export const tokensResource = (transport: ApiTransport): TokensResource => ({
  async create(login, { ttlSeconds } = {}) {
    const body = ttlSeconds === undefined ? {} : { ttl: ttlSeconds };
    return (await transport.json<Token>({ service: 'auth', method: 'POST', path: ['tokens'], body, login })).body;
  },
  async ofTerminalLogin(proof, { ttlSeconds, signal } = {}) {
    const body = { ...proof, ...(ttlSeconds === undefined ? {} : { ttl: ttlSeconds }) };
    const secrets = [proof.verifier, ...(proof.code === undefined ? [] : [proof.code])];
    const to = { service: 'auth', method: 'POST', path: ['sso', 'terminal', 'token'] } as const;
    return (await transport.json<Token>({ ...to, body, secrets, secretNames: SECRET_FIELDS, signal })).body;
  },
  singleSignOn: async () =>
    (await transport.json<SingleSignOn>({ service: 'auth', method: 'GET', path: ['sso'] })).body,
  async isValid(token) {
    const path = ['tokens', 'validate'];
    const call = { service: 'auth', method: 'POST', path, body: { token }, secrets: [token] } as const;
    return (await transport.json<{ valid: boolean }>(call)).body.valid;
  },
  async revokeOwn() {
    await transport.text({ service: 'auth', method: 'DELETE', path: ['tokens', 'current'] });
  },
  async createUnattended(body) {
    const call = { service: 'auth', method: 'POST', path: ISSUED_TOKENS, body } as const;
    return (await transport.json<Token>(call)).body;
  },
  list: (user) => readAll<ListedToken>(transport, ISSUED_TOKENS, { service: 'auth', filters: { user } }),
  async revoke(id) {
    await transport.text({ service: 'auth', method: 'DELETE', path: [...ISSUED_TOKENS, id] });
  },
  async revokeAll(user) {
    const call = { service: 'auth', method: 'DELETE', path: ISSUED_TOKENS, query: { user } } as const;
    return (await transport.json<{ revoked: number }>(call)).body.revoked;
  },
});

/** @throws ApiError with status 401 if the credential is not valid */
export const readCurrentUser = async (transport: ApiTransport): Promise<CurrentUser> =>
  (await transport.json<CurrentUser>({ service: 'api', method: 'GET', path: ['user'] })).body;

/** Limits that permit a key less than its user. */
export type ApiKeyLimits = Pick<ApiKey, 'role' | 'permission_grants' | 'allowed_addresses' | 'expires_at'>;

/** A key that was created elsewhere. It stays valid for everyone who has it. */
export type ApiKeyToLoad = Pick<ApiKey, 'user' | 'key_hash' | 'metadata' | 'enabled'> &
  ApiKeyLimits & { readonly id?: string };

export type ApiKeyToCreate = ApiKeyLimits & {
  /** Default: the user of this client. */
  readonly user?: string | undefined;
  readonly metadata?: Record<string, unknown> | undefined;
};

export interface ApiKeysResource {
  list(options?: { user?: string | undefined; showSecrets?: boolean | undefined }): Promise<ApiKey[]>;
  /** @throws ApiError with status 404 if it does not exist */
  get(idOrKey: string): Promise<ApiKey>;
  create(key?: ApiKeyToCreate): Promise<NewApiKey>;
  /** Updates the key with this id, or creates it. */
  load(key: ApiKeyToLoad): Promise<Omit<ApiKey, 'key_hash'>>;
  setEnabled(key: ApiKey, enabled: boolean): Promise<ApiKey>;
  delete(idOrKey: string): Promise<void>;
}

const API_KEYS = ['apikeys'];
/** Needed to see when keys were last used. */
const WITH_LAST_USE = { last_use: true };

/** The address may contain the key itself, which must not appear in messages. */
const keyCall = (method: ApiCall['method'], idOrKey: string): ApiCall => ({
  service: 'api',
  method,
  path: [...API_KEYS, idOrKey],
  ...(/^[0-9a-f]{24}$/.test(idOrKey) ? {} : { secrets: [idOrKey] }),
});

export const apiKeysResource = (transport: ApiTransport): ApiKeysResource => ({
  load: (key) => loadKey(transport, key),
  list({ user, showSecrets } = {}) {
    const filters: Record<string, QueryValue> = { ...WITH_LAST_USE, user, show_secrets: showSecrets || undefined };
    return readAll<ApiKey>(transport, API_KEYS, { filters });
  },
  get: async (idOrKey) => (await transport.json<ApiKey>({ ...keyCall('GET', idOrKey), query: WITH_LAST_USE })).body,
  create: async (body = {}) =>
    (await transport.json<NewApiKey>({ service: 'api', method: 'POST', path: API_KEYS, body })).body,
  setEnabled: async (key, enabled) =>
    (await transport.json<ApiKey>({ ...keyCall('PUT', key.id), body: { ...key, enabled } })).body,
  async delete(idOrKey) {
    await transport.text(keyCall('DELETE', idOrKey));
  },
});

async function loadKey(transport: ApiTransport, key: ApiKeyToLoad): Promise<Omit<ApiKey, 'key_hash'>> {
  if (key.id !== undefined)
    try {
      return (await transport.json<ApiKey>({ ...keyCall('PUT', key.id), body: key })).body;
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  return (await transport.json<NewApiKey>({ service: 'api', method: 'POST', path: API_KEYS, body: key })).body;
}
