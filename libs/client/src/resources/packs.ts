import type { Transport } from '../transport/transport';
import { readAll, type ListQuery } from './list-query';

export interface Pack {
  id: string;
  ref: string;
  uid: string;
  name: string;
  description: string;
  version: string;
  author: string;
  email?: string;
  path?: string;
}

export interface Packs {
  list(query?: ListQuery): Promise<Pack[]>;
  /** @throws ApiError with status 404 when there is none */
  get(refOrId: string): Promise<Pack>;
  /** Reads packs on the server's disk again. Returns counts by kind of content. */
  register(what?: { packs?: readonly string[]; types?: readonly string[] }): Promise<Record<string, number>>;
}

const PATH = ['packs'];

export const createPacks = (transport: Transport): Packs => ({
  list: (query = {}) => readAll<Pack>(transport, PATH, query),
  get: async (refOrId) =>
    (await transport.json<Pack>({ service: 'api', method: 'GET', path: [...PATH, refOrId] })).body,
  async register({ packs, types } = {}) {
    const body = { ...(packs?.length ? { packs } : {}), ...(types?.length ? { types } : {}) };
    const call = { service: 'api', method: 'POST', path: [...PATH, 'register'], body } as const;
    return (await transport.json<Record<string, number>>(call)).body;
  },
});
