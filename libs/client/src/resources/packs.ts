import { MINUTE_MS } from '@switchyard/base';
import type { Transport } from '../transport/transport';
import { readableRecords, type ReadableRecords } from './records';

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

/** What an index says about a pack that can be installed. */
export interface IndexedPack {
  name?: string;
  version?: string;
  description?: string;
  author?: string;
  /** How much there is in it, by kind. */
  content?: Record<string, { count?: number }>;
  [attribute: string]: unknown;
}

export interface PackInstallation {
  /** Names in the index, `owner/repository`, addresses; each may end in `=version`. */
  readonly packs: readonly string[];
  readonly force?: boolean;
  readonly skipDependencies?: boolean;
}

export interface Packs extends ReadableRecords<Pack> {
  /** Reads packs on the server's disk again. Returns counts by kind of content. */
  register(what?: { packs?: readonly string[]; types?: readonly string[] }): Promise<Record<string, number>>;
  /**
   * Gives a pack its virtual environment on the server. That may take minutes.
   * @param how `recreate` makes it anew even when nothing has changed
   * @returns whether the pack has one: a pack without Python needs none
   */
  setUp(ref: string, how?: { recreate?: boolean }): Promise<boolean>;
  /** Packs of the index in which a text occurs, the best hits first. */
  search(query: string): Promise<IndexedPack[]>;
  /** What the index says about a pack; undefined when it has none of that name. */
  show(name: string): Promise<IndexedPack | undefined>;
  /** @returns the id of the execution that does it */
  install(what: PackInstallation): Promise<string>;
  /** Removes packs with everything that they have registered, and their files. @returns the id of the execution that does it */
  uninstall(packs: readonly string[]): Promise<string>;
}

const PATH = ['packs'];
const REGISTER = { service: 'api', method: 'POST', path: [...PATH, 'register'] } as const;
const SET_UP_MS = 60 * MINUTE_MS;

/** The server may have to read indexes that are slow to answer. */
const INDEX_MS = 2 * MINUTE_MS;
const SEARCH = { service: 'api', method: 'POST', path: [...PATH, 'index', 'search'], timeoutMs: INDEX_MS } as const;

export const createPacks = (transport: Transport): Packs => ({
  ...readableRecords<Pack>(transport, PATH),
  async register({ packs, types } = {}) {
    const body = { ...(packs?.length ? { packs } : {}), ...(types?.length ? { types } : {}) };
    return (await transport.json<Record<string, number>>({ ...REGISTER, body })).body;
  },
  async setUp(ref, { recreate = false } = {}) {
    const body = { packs: [ref], types: [], [recreate ? 'recreate_virtualenvs' : 'setup_virtualenvs']: true };
    const call = { ...REGISTER, body, timeoutMs: SET_UP_MS };
    return ((await transport.json<Record<string, number>>(call)).body['virtualenvs'] ?? 0) > 0;
  },
  search: async (query) => (await transport.json<IndexedPack[]>({ ...SEARCH, body: { query } })).body,
  async show(name) {
    const { body } = await transport.json<IndexedPack | []>({ ...SEARCH, body: { pack: name } });
    return Array.isArray(body) ? undefined : body;
  },
  install: ({ packs, force = false, skipDependencies = false }) =>
    started(transport, 'install', { packs, force, skip_dependencies: skipDependencies }),
  uninstall: (packs) => started(transport, 'uninstall', { packs }),
});

async function started(transport: Transport, verb: string, body: object): Promise<string> {
  const call = { service: 'api', method: 'POST', path: [...PATH, verb], body } as const;
  return (await transport.json<{ execution_id: string }>(call)).body.execution_id;
}
