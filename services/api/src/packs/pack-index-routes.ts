import { fault } from '@switchyard/base';
import {
  createPackConfigs,
  createPackIndex,
  PROXY_NAMES,
  searchIndex,
  type PackIndex,
  type ProxyVariables,
} from '@switchyard/content';
import { route, type Route } from '@switchyard/http';
import { indexedPackAnswer, indexStatusAnswer } from '@switchyard/model/resources';
import { Type } from '@sinclair/typebox';
import type { ApiDependencies } from '../api-dependencies';

/** Packs that can be installed, from the indexes in `content.index_url`. */
export function packIndexRoutes(deps: ApiDependencies): Route[] {
  const { config, clock, logger } = deps;
  const index = createPackIndex({
    addresses: config.content.index_url,
    clock,
    logger,
    proxies: () => packProxies(deps),
  });
  return [getIndex(index), searchRoute(index), healthRoute(index)];
}

/** Proxies for downloads of packs: those of the environment, else those in the configuration of the pack `packs`. */
async function packProxies({
  store,
  datastore,
  environment = {},
}: Pick<ApiDependencies, 'store' | 'datastore' | 'environment'>): Promise<ProxyVariables> {
  const { values: configured } = await createPackConfigs(store).of('packs', datastore.lookupFor({}));
  const found: Record<string, string> = {};
  for (const name of PROXY_NAMES) {
    const value = environment[name] || environment[name.toUpperCase()] || configured[name];
    if (typeof value === 'string' && value !== '') found[name] = value;
  }
  return found;
}

const indexSchema = Type.Object(
  {
    status: Type.Array(indexStatusAnswer),
    index: Type.Record(Type.String(), indexedPackAnswer, { description: 'By the name of the pack' }),
  },
  { title: 'PackIndex' },
);

const getIndex = (index: PackIndex): Route =>
  route({
    method: 'GET',
    path: '/packs/index',
    operation: 'packs_index.get_all',
    summary: 'All packs that can be installed, by name, and the state of each index',
    permission: 'pack_search',
    response: { status: 200, schema: indexSchema },
    async handle() {
      const { status, packs } = await index.read();
      return { status: 200, body: { status, index: Object.fromEntries(packs) } };
    },
  });

const searchBody = Type.Object(
  {
    query: Type.Optional(Type.String({ description: 'Text to search for in the index; takes precedence over pack' })),
    pack: Type.Optional(Type.String({ description: 'Name of one pack' })),
  },
  { title: 'PackSearch' },
);

/** A search returns a list; a look-up by name returns one entry, or an empty list if there is no such pack. */
const foundSchema = Type.Union([Type.Array(indexedPackAnswer), indexedPackAnswer]);

const searchRoute = (index: PackIndex): Route =>
  route({
    method: 'POST',
    path: '/packs/index/search',
    operation: 'packs_index_search.search',
    readsOnly: true,
    summary: 'Search for packs, best matches first; or get one pack by name, or an empty list',
    permission: 'pack_search',
    body: searchBody,
    response: { status: 200, schema: foundSchema },
    async handle(request) {
      const { query, pack } = request.body;
      if (query === undefined && pack !== undefined) return { status: 200, body: await onePack(index, pack.trim()) };
      if (query === undefined || query.trim() === '') throw fault('pack-index.no-query');
      return { status: 200, body: searchIndex((await index.read()).packs, query) };
    },
  });

async function onePack(index: PackIndex, name: string): Promise<unknown> {
  if (name === '') throw fault('pack-index.no-pack');
  return (await index.read()).packs.get(name) ?? [];
}

const healthSchema = Type.Object(
  {
    indexes: Type.Object({
      count: Type.Integer(),
      valid: Type.Integer(),
      invalid: Type.Integer(),
      errors: Type.Record(Type.String(), Type.Integer(), { description: 'Number of indexes by kind of error' }),
      status: Type.Array(indexStatusAnswer),
    }),
    packs: Type.Object({ count: Type.Integer() }),
  },
  { title: 'PackIndexHealth' },
);

const healthRoute = (index: PackIndex): Route =>
  route({
    method: 'GET',
    path: '/packs/index/health',
    operation: 'packs_index_health.get',
    summary: 'The current state of the indexes',
    permission: 'pack_views_index_health',
    response: { status: 200, schema: healthSchema },
    async handle() {
      const { status, packs } = await index.examine();
      const errors: Record<string, number> = {};
      for (const { error } of status) if (error !== null) errors[error] = (errors[error] ?? 0) + 1;
      const valid = status.filter(({ error }) => error === null).length;
      const indexes = { count: status.length, valid, invalid: status.length - valid, errors, status };
      return { status: 200, body: { indexes, packs: { count: packs.size } } };
    },
  });
