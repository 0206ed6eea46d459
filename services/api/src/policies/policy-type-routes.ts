import { fault } from '@switchyard/base';
import {
  attributeParameters,
  listResponse,
  pageParameters,
  readAttributes,
  readPage,
  readSort,
  route,
  sortParameter,
  type Route,
} from '@switchyard/http';
import { POLICY_TYPES, type PolicyTypeDeclaration } from '@switchyard/model';
import { attributeNames, policyTypeAnswer, sortKeys } from '@switchyard/model/resources';
import type { ApiDependencies } from '../api-dependencies';
import { idCondition } from '../lists/conditions';
import { listed } from '../lists/listed-schema';
import { guardedRecord } from '../permissions/guarded-record';
import { grantedTo } from '../permissions/visible-records';

export const policyTypeRoutes = (deps: ApiDependencies): Route[] => [listPolicyTypes(deps), getPolicyType];

const DEFAULT_LIMIT = 100;
/** They are not stored: the path of a field is its name. */
const SORTABLE = sortKeys(policyTypeAnswer) as Readonly<Record<string, SortField>>;
type SortField = 'id' | 'ref' | 'name' | 'resource_type';

const listPolicyTypes = (deps: ApiDependencies): Route => {
  const { config } = deps;
  return route({
    method: 'GET',
    path: '/policytypes',
    operation: 'policy_types.get_all',
    summary: 'Policy types',
    permission: 'policy_type_list',
    query: {
      id: { type: 'list', description: 'Ids' },
      name: { type: 'list', description: 'Names' },
      resource_type: { type: 'string' },
      ...sortParameter,
      ...pageParameters,
      ...attributeParameters,
    },
    response: { status: 200, schema: listed(policyTypeAnswer) },
    async handle(request) {
      const { id, name: names, resource_type: resource, sort } = request.query;
      if (id) idCondition(id);
      const page = readPage(request, { defaultLimit: DEFAULT_LIMIT, maxPageSize: config.api.max_page_size });
      const selection = readAttributes(request.query, { known: attributeNames(policyTypeAnswer) });
      const granted = await grantedTo(deps, request.requester, 'policy_type_view');
      const found = POLICY_TYPES.filter(
        (type) =>
          (!granted || granted.uids.includes(type.uid)) &&
          (!id || id.includes(type.id)) &&
          (!names || names.includes(type.name)) &&
          (resource === undefined || type.resource_type === resource),
      ).sort(by(readSort(sort, SORTABLE, { resource_type: 1, name: 1 })));
      const end = page.limit === undefined ? undefined : page.offset + page.limit;
      const shown = found.slice(page.offset, end).map((type) => selection.apply({ ...type }));
      return listResponse(shown, found.length, page);
    },
  });
};

const by = (sort: Readonly<Record<string, 1 | -1>>) => (a: PolicyTypeDeclaration, b: PolicyTypeDeclaration) => {
  for (const [field, direction] of Object.entries(sort) as [SortField, 1 | -1][])
    if (a[field] !== b[field]) return a[field] < b[field] ? -direction : direction;
  return 0;
};

const getPolicyType: Route = route({
  method: 'GET',
  path: '/policytypes/{ref_or_id}',
  operation: 'policy_types.get_one',
  summary: 'One policy type, by reference or id',
  permission: 'policy_type_view',
  resource: ({ params }) => guardedRecord('policy_type', { find: findPolicyType }, params.ref_or_id),
  response: { status: 200, schema: policyTypeAnswer },
  handle({ params }) {
    const given = params.ref_or_id;
    const found = findPolicyType(given);
    if (!found) throw fault('policy.type-not-found', { id: given });
    return { status: 200, body: found };
  },
});

const findPolicyType = (given: string) => POLICY_TYPES.find(({ id, ref }) => id === given || ref === given);
