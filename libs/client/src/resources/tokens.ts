import type { BasicCredentials } from '../client-options';
import type { Transport } from '../transport/transport';

export interface Token {
  id: string;
  user: string;
  token: string;
  /** ISO 8601 */
  expiry: string;
}

export interface Tokens {
  /** Logs in. @throws ApiError with status 401 for wrong credentials */
  create(login: BasicCredentials, options?: { ttlSeconds?: number | undefined }): Promise<Token>;
  isValid(token: string): Promise<boolean>;
  /** Logs out: the token of this client stops working. */
  revokeOwn(): Promise<void>;
}

export const createTokens = (transport: Transport): Tokens => ({
  async create(login, { ttlSeconds } = {}) {
    const body = ttlSeconds === undefined ? {} : { ttl: ttlSeconds };
    return (await transport.json<Token>({ service: 'auth', method: 'POST', path: ['tokens'], body, login })).body;
  },
  async isValid(token) {
    const path = ['tokens', 'validate'];
    const call = { service: 'auth', method: 'POST', path, body: { token }, secrets: [token] } as const;
    return (await transport.json<{ valid: boolean }>(call)).body.valid;
  },
  async revokeOwn() {
    await transport.text({ service: 'auth', method: 'DELETE', path: ['tokens', 'current'] });
  },
});
