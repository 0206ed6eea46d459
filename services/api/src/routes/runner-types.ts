import { fault } from '@switchyard/base';
import { route, type Route, type RouteRequest } from '@switchyard/http';
import type { RunnerTypeRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import { Type } from '@sinclair/typebox';
import { byText, listRoute } from '../list-route';
import type { ApiDependencies } from '../api-dependencies';

export const runnerTypeRoutes = (deps: ApiDependencies): Route[] => [
  listRunnerTypes(deps),
  getRunnerType(deps),
  changeRunnerType(deps),
];

const ATTRIBUTES: readonly string[] = [
  'id',
  'uid',
  'name',
  'description',
  'enabled',
  'runner_package',
  'runner_module',
  'query_module',
  'runner_parameters',
  'output_key',
  'output_schema',
];

const runnerType = Type.Object({ id: Type.String() });
/** Clients send whole runner types; nothing but this can be changed. */
const changeBody = Type.Object({ enabled: Type.Boolean() });

const viewOf = ({ _id, ...shown }: RunnerTypeRecord): Record<string, unknown> => ({ id: _id, ...shown });

const listRunnerTypes = (deps: ApiDependencies): Route =>
  listRoute(deps, {
    path: '/runnertypes',
    operation: 'runner_types.get_all',
    summary: 'Runner types by name',
    permission: 'runner_type_list',
    records: deps.store.runnerTypes,
    filters: { name: byText('name', 'Names') },
    sortable: { id: '_id', name: 'name' },
    order: { name: 1 },
    defaultLimit: 100,
    attributes: { known: ATTRIBUTES },
    needed: [],
    schema: runnerType,
    views: (found) => found.map(viewOf),
  });

const getRunnerType = ({ store }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/runnertypes/{name_or_id}',
    operation: 'runner_types.get_one',
    summary: 'One runner type',
    permission: 'runner_type_view',
    response: { status: 200, schema: runnerType },
    handle: async (request) => ({ status: 200, body: viewOf(await find(store, request)) }),
  });

const changeRunnerType = ({ store, logger }: ApiDependencies): Route =>
  route({
    method: 'PUT',
    path: '/runnertypes/{name_or_id}',
    operation: 'runner_types.put',
    summary: 'Switch a runner type on or off',
    permission: 'runner_type_modify',
    body: changeBody,
    response: { status: 200, schema: runnerType },
    async handle(request) {
      const before = await find(store, request);
      const { enabled } = request.body as { enabled: boolean };
      const record = { ...before, enabled };
      if (!(await store.runnerTypes.replace(record))) throw fault('resource.changed-meanwhile', { id: before.name });
      logger.audit('Runner type updated.', { runner: record.name, enabled, user: request.requester.user });
      return { status: 200, body: viewOf(record) };
    },
  });

async function find(
  { runnerTypes }: Pick<Store, 'runnerTypes'>,
  { params }: Pick<RouteRequest, 'params'>,
): Promise<RunnerTypeRecord> {
  const given = params['name_or_id'] ?? '';
  const record = await runnerTypes.find(given);
  if (!record) throw fault('resource.name-not-found', { id: given });
  return record;
}
