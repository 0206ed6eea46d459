import { MINUTE_MS } from '@switchyard/base';
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
  /**
   * Gives a pack its virtual environment on the server. That may take minutes.
   * @param how `recreate` makes it anew even when nothing has changed
   * @returns whether the pack has one: a pack without Python needs none
   */
  setUp(ref: string, how?: { recreate?: boolean }): Promise<boolean>;
}

const PATH = ['packs'];
const REGISTER = { service: 'api', method: 'POST', path: [...PATH, 'register'] } as const;
const SET_UP_MS = 60 * MINUTE_MS;

export const createPacks = (transport: Transport): Packs => ({
  list: (query = {}) => readAll<Pack>(transport, PATH, query),
  get: async (refOrId) =>
    (await transport.json<Pack>({ service: 'api', method: 'GET', path: [...PATH, refOrId] })).body,
  async register({ packs, types } = {}) {
    const body = { ...(packs?.length ? { packs } : {}), ...(types?.length ? { types } : {}) };
    return (await transport.json<Record<string, number>>({ ...REGISTER, body })).body;
  },
  async setUp(ref, { recreate = false } = {}) {
    const body = { packs: [ref], types: [], [recreate ? 'recreate_virtualenvs' : 'setup_virtualenvs']: true };
    const call = { ...REGISTER, body, timeoutMs: SET_UP_MS };
    return ((await transport.json<Record<string, number>>(call)).body['virtualenvs'] ?? 0) > 0;
  },
});
