import { fault } from '@switchyard/base';
import {
  ANY_USER,
  attributeParameters,
  pageParameters,
  readAttributes,
  readPage,
  readSort,
  route,
  sortParameter,
  type Route,
} from '@switchyard/http';
import type { RoleAssignment, RoleAssignmentRecord } from '@switchyard/model';
import { attributeNames, roleAssignmentAnswer, roleAssignmentRecordSchema } from '@switchyard/model/resources';
import type { ApiDependencies } from '../api-dependencies';
import { flagCondition } from '../lists/conditions';
import { listRecords } from '../lists/list-records';
import { listed } from '../lists/listed-schema';
import { pageBudget } from '../lists/page-budget';
import { sortableBy } from '../lists/sortable-by';

export const roleAssignmentRoutes = (deps: ApiDependencies): Route[] => [listAssignments(deps), getAssignment(deps)];

const SORTABLE = sortableBy(roleAssignmentRecordSchema);

const listAssignments = ({ store, config }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/rbac/role_assignments',
    operation: 'role_assignments.get_all',
    permission: ANY_USER,
    summary: 'Which users have which roles; users who are not administrators need `user` and see only their own',
    query: {
      user: { type: 'string', description: 'Name of a user' },
      role: { type: 'string', description: 'Name of a role' },
      source: { type: 'string', description: 'The file that they come from' },
      remote: { type: 'string', description: 'Whether they follow groups: 1, true, 0 or false' },
      ...sortParameter,
      ...pageParameters,
      ...attributeParameters,
    },
    response: { status: 200, schema: listed(roleAssignmentAnswer) },
    handle(request) {
      const { user, role, source, remote, sort } = request.query;
      const { requester } = request;
      if (user !== requester.user && !requester.isAdmin) throw fault('auth.administrators-only');
      const selection = readAttributes(request.query, { known: attributeNames(roleAssignmentAnswer) });
      const asked = {
        filter: {
          ...(user === undefined ? {} : { user }),
          ...(role === undefined ? {} : { role }),
          ...(source === undefined ? {} : { source }),
          ...(remote === undefined ? {} : { is_remote: flagCondition(remote) }),
        },
        sort: readSort(sort, SORTABLE, { _id: 1 }),
        page: readPage(request, { maxPageSize: config.api.max_page_size }),
        budget: pageBudget(config, request),
      };
      return listRecords(store.roleAssignments, asked, (record) => selection.apply({ ...assignmentView(record) }));
    },
  });

const getAssignment = ({ store }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/rbac/role_assignments/{id}',
    operation: 'role_assignments.get_one',
    permission: ANY_USER,
    summary: 'One role assignment; users who are not administrators see only their own',
    response: { status: 200, schema: roleAssignmentAnswer },
    async handle({ requester, params: { id } }) {
      const record = await store.roleAssignments.get(id);
      // Not everybody may know whether an assignment of another user exists.
      if (!record || (record.user !== requester.user && !requester.isAdmin)) {
        throw fault('resource.id-not-found', { id });
      }
      return { status: 200, body: assignmentView(record) };
    },
  });

const assignmentView = ({ _id, ...shown }: RoleAssignmentRecord): RoleAssignment => ({ id: _id, ...shown });
