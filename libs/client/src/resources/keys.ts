import type { Call, QueryValue } from '../transport/call';
import type { Transport } from '../transport/transport';
import { readAll, readPage, type Page } from './list-query';

/** An item of the datastore. */
export interface Key {
  id: string;
  uid: string;
  name: string;
  scope: string;
  value: string;
  secret: boolean;
  /** The value is ciphertext. */
  encrypted: boolean;
  description?: string;
  expire_timestamp?: string;
  user?: string;
}

/** Which items: `system` unless given; a user means that user's items. */
export interface KeyScope {
  readonly scope?: string | undefined;
  readonly user?: string | undefined;
}

export interface KeyQuery extends KeyScope {
  readonly prefix?: string | undefined;
  readonly decrypt?: boolean | undefined;
}

/** An item is written whole. */
export interface KeyToSet extends KeyScope {
  readonly name: string;
  readonly value: string;
  readonly secret?: boolean | undefined;
  /** The value is ciphertext already. */
  readonly encrypted?: boolean | undefined;
  /** Seconds. */
  readonly ttl?: number | undefined;
  readonly description?: string | undefined;
}

export interface Keys {
  /** One page. */
  list(query: KeyQuery & { limit?: number | undefined }): Promise<Page<Key>>;
  all(query: KeyQuery): Promise<Key[]>;
  /** @throws ApiError with status 404 when there is none */
  get(name: string, query?: KeyScope & Pick<KeyQuery, 'decrypt'>): Promise<Key>;
  set(key: KeyToSet): Promise<Key>;
  /** @throws ApiError with status 404 when there is none */
  delete(name: string, scope?: KeyScope): Promise<void>;
}

const PATH = ['keys'];
/** What people keep here is nobody's business, marked secret or not. */
const secretNames = ['value'];

const filtersOf = ({ decrypt, ...query }: KeyQuery): Record<string, QueryValue> => ({
  ...query,
  decrypt: decrypt || undefined,
});

const keyCall = (method: Call['method'], name: string, query: KeyQuery = {}): Call => ({
  service: 'api',
  method,
  path: [...PATH, name],
  secretNames,
  query: filtersOf(query),
});

export const createKeys = (transport: Transport): Keys => ({
  list: ({ limit, ...query }) => readPage<Key>(transport, PATH, { filters: filtersOf(query), limit, secretNames }),
  all: (query) => readAll<Key>(transport, PATH, { filters: filtersOf(query), secretNames }),
  get: async (name, query) => (await transport.json<Key>(keyCall('GET', name, query))).body,
  set: async (key) => (await transport.json<Key>({ ...keyCall('PUT', key.name), body: key })).body,
  async delete(name, scope) {
    await transport.text(keyCall('DELETE', name, scope));
  },
});
