import type { Key } from '@switchyard/model';
import type { ApiCall, QueryValue } from '../transport/call';
import type { ApiTransport } from '../transport/transport';
import { readAll, requestPage, type Listed, type ListPage } from './records';

/** Which items: `system` by default; `user` selects the items of that user. */
export interface KeyScope {
  readonly scope?: string | undefined;
  readonly user?: string | undefined;
}

export interface KeyQuery extends KeyScope {
  readonly prefix?: string | undefined;
  readonly decrypt?: boolean | undefined;
}

/** An item to write. It replaces the whole stored item. */
export interface KeyToSet extends KeyScope {
  readonly name: string;
  readonly value: string;
  readonly secret?: boolean | undefined;
  /** Whether the value is already ciphertext. */
  readonly encrypted?: boolean | undefined;
  /** Seconds. */
  readonly ttl?: number | undefined;
  readonly description?: string | undefined;
}

export interface Keys {
  /** One page. */
  list(query: KeyQuery & { limit?: number | undefined }): Promise<ListPage<Listed<Key>>>;
  all(query: KeyQuery): Promise<Listed<Key>[]>;
  /** @throws ApiError with status 404 if it does not exist */
  get(name: string, query?: KeyScope & Pick<KeyQuery, 'decrypt'>): Promise<Key>;
  set(key: KeyToSet): Promise<Key>;
  /** @throws ApiError with status 404 if it does not exist */
  delete(name: string, scope?: KeyScope): Promise<void>;
}

const PATH = ['keys'];
/** Values are never shown to observers, whether they are marked as secret or not. */
const secretNames = ['value'];

const filtersOf = ({ decrypt, ...query }: KeyQuery): Record<string, QueryValue> => ({
  ...query,
  decrypt: decrypt || undefined,
});

const keyCall = (method: ApiCall['method'], name: string, query: KeyQuery = {}): ApiCall => ({
  service: 'api',
  method,
  path: [...PATH, name],
  secretNames,
  query: filtersOf(query),
});

export const createKeys = (transport: ApiTransport): Keys => ({
  list: ({ limit, ...query }) =>
    requestPage<Listed<Key>>(transport, PATH, { filters: filtersOf(query), limit, secretNames }),
  all: (query) => readAll<Listed<Key>>(transport, PATH, { filters: filtersOf(query), secretNames }),
  get: async (name, query) => (await transport.json<Key>(keyCall('GET', name, query))).body,
  set: async (key) => (await transport.json<Key>({ ...keyCall('PUT', key.name), body: key })).body,
  async delete(name, scope) {
    await transport.text(keyCall('DELETE', name, scope));
  },
});
