import { fault } from '@switchyard/base';
import { route, type Route, type RouteRequest } from '@switchyard/http';
import type { RunnerTypeRecord } from '@switchyard/model';
import { runnerTypeAnswer, runnerTypeRecordSchema } from '@switchyard/model/resources';
import type { Store } from '@switchyard/storage';
import { Type } from '@sinclair/typebox';
import { byText, listRoute } from '../lists/list-route';
import { sortableBy } from '../lists/sortable-by';
import type { ApiDependencies } from '../api-dependencies';
import { guardedRecord } from '../permissions/guarded-record';
import { visibleByName } from '../permissions/visible-records';

export const runnerTypeRoutes = (deps: ApiDependencies): Route[] => [
  listRunnerTypes(deps),
  getRunnerType(deps),
  changeRunnerType(deps),
];

/** Clients send whole runner types; only this field can be changed. */
const changeBody = Type.Object({ enabled: Type.Boolean() }, { title: 'RunnerTypeChange' });

const viewOf = ({ _id, ...shown }: RunnerTypeRecord): Record<string, unknown> => ({ id: _id, ...shown });

const listRunnerTypes = (deps: ApiDependencies): Route =>
  listRoute(deps, {
    path: '/runnertypes',
    operation: 'runner_types.get_all',
    summary: 'Runner types by name',
    permission: 'runner_type_list',
    visible: visibleByName('runner_type', 'name'),
    records: deps.store.runnerTypes,
    filters: { name: byText('name', 'Names') },
    sortable: sortableBy(runnerTypeRecordSchema),
    order: { name: 1 },
    defaultLimit: 100,
    attributes: {},
    needed: [],
    schema: runnerTypeAnswer,
    views: (found) => found.map(viewOf),
  });

const getRunnerType = ({ store }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/runnertypes/{name_or_id}',
    operation: 'runner_types.get_one',
    summary: 'One runner type',
    permission: 'runner_type_view',
    resource: ({ params }) => guardedRecord('runner_type', store.runnerTypes, params.name_or_id),
    response: { status: 200, schema: runnerTypeAnswer },
    handle: async (request) => ({ status: 200, body: viewOf(await find(store, request)) }),
  });

const changeRunnerType = ({ store, logger }: ApiDependencies): Route =>
  route({
    method: 'PUT',
    path: '/runnertypes/{name_or_id}',
    operation: 'runner_types.put',
    summary: 'Enable or disable a runner type',
    permission: 'runner_type_modify',
    resource: ({ params }) => guardedRecord('runner_type', store.runnerTypes, params.name_or_id),
    body: changeBody,
    response: { status: 200, schema: runnerTypeAnswer },
    async handle(request) {
      const before = await find(store, request);
      const { enabled } = request.body;
      const record = { ...before, enabled };
      if (!(await store.runnerTypes.replace(record))) throw fault('resource.changed-meanwhile', { id: before.name });
      logger.audit('Runner type updated.', { runner: record.name, enabled, user: request.requester.user });
      return { status: 200, body: viewOf(record) };
    },
  });

async function find(
  { runnerTypes }: Pick<Store, 'runnerTypes'>,
  { params: { name_or_id: given } }: Pick<RouteRequest<unknown, { readonly name_or_id: string }>, 'params'>,
): Promise<RunnerTypeRecord> {
  const record = await runnerTypes.find(given);
  if (!record) throw fault('resource.name-not-found', { id: given });
  return record;
}
