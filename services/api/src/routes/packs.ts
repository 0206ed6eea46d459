import { join } from 'node:path';
import { PROXY_NAMES, registerContent } from '@switchyard/content';
import { route, type Route } from '@switchyard/http';
import { runnerTypes as runnerTypesOf } from '@switchyard/runners';
import { Type } from '@sinclair/typebox';
import { byText, listRoute } from '../list-route';
import type { ApiDependencies } from '../api-dependencies';
import { findPack, packSchema, packView } from '../packs/pack-view';
import { setUpPacks, type VirtualenvRequest } from '../packs/set-up-packs';

export const packRoutes = (deps: ApiDependencies): Route[] => [listPacks(deps), getPack(deps), registerPacks(deps)];

const listPacks = (deps: ApiDependencies): Route =>
  listRoute(deps, {
    path: '/packs',
    operation: 'packs.get_all',
    summary: 'Packs by reference',
    permission: 'pack_list',
    records: deps.store.packs,
    filters: { name: byText('name', 'Display name'), ref: byText('ref', 'Reference') },
    sortable: { id: '_id', name: 'name', ref: 'ref' },
    order: { ref: 1 },
    defaultLimit: 100,
    // Packs have attributes of their own, so that any name may be asked for.
    attributes: {},
    schema: packSchema,
    views: (found) => found.map(packView),
  });

const getPack = ({ store }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/packs/{ref_or_id}',
    operation: 'packs.get_one',
    summary: 'One pack',
    permission: 'pack_view',
    response: { status: 200, schema: packSchema },
    handle: async (request) => ({ status: 200, body: packView(await findPack(store, request)) }),
  });

const registerBody = Type.Object({
  packs: Type.Optional(Type.Array(Type.String())),
  types: Type.Optional(Type.Array(Type.String())),
  fail_on_failure: Type.Optional(Type.Boolean({ default: true })),
  setup_virtualenvs: Type.Optional(
    Type.Boolean({ description: 'Also give the packs their virtual environments, unless they are up to date' }),
  ),
  recreate_virtualenvs: Type.Optional(Type.Boolean({ description: 'Also make their virtual environments anew' })),
  proxies: Type.Optional(
    Type.Object(Object.fromEntries(PROXY_NAMES.map((name) => [name, Type.Optional(Type.String())])), {
      additionalProperties: false,
      description: 'Proxies for pip, instead of those in the configuration of the pack packs',
    }),
  ),
});

interface RegisterBody extends VirtualenvRequest {
  readonly types?: string[];
}

function registerPacks(deps: ApiDependencies): Route {
  const { config, store, bus, triggers, runners, packRoots, paths, logger } = deps;
  return route({
    method: 'POST',
    path: '/packs/register',
    operation: 'packs.register',
    summary: 'Bring the system in line with the packs on disk',
    permission: 'pack_register',
    body: registerBody,
    response: { status: 200, schema: Type.Record(Type.String(), Type.Integer()) },
    async handle({ body, requester }) {
      const asked = body as RegisterBody;
      const { packs, types, fail_on_failure: failOnFailure = true } = asked;
      const { counts } = await registerContent({
        store,
        triggers,
        publisher: bus.publisher(),
        roots: packRoots,
        runnerTypes: runnerTypesOf(runners),
        maxPatternLength: config.limits.max_pattern_length,
        failOnFailure,
        overridesDirectory: join(paths.base, 'overrides'),
        configsDirectory: paths.configs,
        logger,
        ...(packs ? { packs } : {}),
        ...(types ? { types } : {}),
      });
      logger.audit('Content registered.', { packs, types, counts, user: requester.user });
      return { status: 200, body: { ...counts, ...(await setUpPacks(deps, asked)) } };
    },
  });
}
