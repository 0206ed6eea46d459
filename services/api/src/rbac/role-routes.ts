import { fault } from '@switchyard/base';
import {
  ADMINISTRATORS,
  attributeParameters,
  pageParameters,
  readAttributes,
  readPage,
  readSort,
  route,
  sortParameter,
  type Route,
} from '@switchyard/http';
import type { Role, RoleRecord } from '@switchyard/model';
import { attributeNames, roleAnswer, roleRecordSchema } from '@switchyard/model/resources';
import type { ApiDependencies } from '../api-dependencies';
import { flagCondition, idCondition, textCondition } from '../lists/conditions';
import { listRecords } from '../lists/list-records';
import { listed } from '../lists/listed-schema';
import { pageBudget } from '../lists/page-budget';
import { sortableBy } from '../lists/sortable-by';

export const roleRoutes = (deps: ApiDependencies): Route[] => [listRoles(deps), getRole(deps)];

const SORTABLE = sortableBy(roleRecordSchema);

const listRoles = ({ store, config }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/rbac/roles',
    operation: 'roles.get_all',
    permission: ADMINISTRATORS,
    summary: 'Roles by name',
    query: {
      id: { type: 'list', description: 'Ids' },
      name: { type: 'string', description: 'Names' },
      system: { type: 'string', description: 'Whether they are system roles: 1, true, 0 or false' },
      ...sortParameter,
      ...pageParameters,
      ...attributeParameters,
    },
    response: { status: 200, schema: listed(roleAnswer) },
    handle(request) {
      const { id, name, system, sort } = request.query;
      const selection = readAttributes(request.query, { known: attributeNames(roleAnswer) });
      const asked = {
        filter: {
          ...(id ? { _id: idCondition(id) } : {}),
          ...(name === undefined ? {} : { name: textCondition(name) }),
          ...(system === undefined ? {} : { system: flagCondition(system) }),
        },
        sort: readSort(sort, SORTABLE, { name: 1 }),
        page: readPage(request, { maxPageSize: config.api.max_page_size }),
        budget: pageBudget(config, request),
      };
      return listRecords(store.roles, asked, (role) => selection.apply({ ...roleView(role) }));
    },
  });

const getRole = ({ store }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/rbac/roles/{name_or_id}',
    operation: 'roles.get_one',
    permission: ADMINISTRATORS,
    summary: 'One role, by name or id',
    response: { status: 200, schema: roleAnswer },
    async handle({ params: { name_or_id: given } }) {
      const role = (await store.roles.get(given)) ?? (await store.roles.byKey(given));
      if (!role) throw fault('resource.name-not-found', { id: given });
      return { status: 200, body: roleView(role) };
    },
  });

function roleView({ _id, permission_grants: grants, ...shown }: RoleRecord): Role {
  const ids = grants.map(({ id }) => id);
  return { id: _id, ...shown, permission_grants: ids, permission_grant_ids: ids, permission_grant_objects: grants };
}
