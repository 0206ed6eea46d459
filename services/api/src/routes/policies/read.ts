import {
  attributeParameters,
  idCondition,
  pageParameters,
  readAttributes,
  readPage,
  readSort,
  route,
  sortParameter,
  textCondition,
  type Route,
} from '@switchyard/http';
import { Type } from '@sinclair/typebox';
import type { ApiDependencies } from '../../api-dependencies';
import { findRecord } from '../../events/find-record';
import { listRecords } from '../../list-records';
import { storedFields } from '../../stored-fields';
import { POLICY_ATTRIBUTES, policySchema, policyView } from './policy-view';

const DEFAULT_LIMIT = 100;
const SORTABLE = {
  id: '_id',
  ref: 'ref',
  name: 'name',
  pack: 'pack',
  resource_ref: 'resource_ref',
  policy_type: 'policy_type',
};

export const listPoliciesRoute = ({ config, store }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/policies',
    operation: 'policies.get_all',
    summary: 'Policies by pack and name',
    permission: 'policy_list',
    query: {
      id: { type: 'list', description: 'Ids' },
      name: { type: 'string' },
      pack: { type: 'string' },
      resource_ref: { type: 'string', description: 'Reference of the action that they are about' },
      policy_type: { type: 'string', description: 'Reference of the policy type' },
      ...sortParameter,
      ...pageParameters,
      ...attributeParameters,
    },
    response: { status: 200, schema: Type.Array(policySchema) },
    handle(request) {
      const { id, name, pack, resource_ref: resource, policy_type: type, sort: order } = request.query;
      const page = readPage(request, { defaultLimit: DEFAULT_LIMIT, maxPageSize: config.api.max_page_size });
      const selection = readAttributes(request.query, { known: POLICY_ATTRIBUTES, always: ['ref'] });
      const filter = {
        ...(id ? { _id: idCondition(id) } : {}),
        ...(name === undefined ? {} : { name: textCondition(name) }),
        ...(pack === undefined ? {} : { pack: textCondition(pack) }),
        ...(resource === undefined ? {} : { resource_ref: textCondition(resource) }),
        ...(type === undefined ? {} : { policy_type: textCondition(type) }),
      };
      const sort = readSort(order, SORTABLE, { pack: 1, name: 1 });
      const fields = storedFields(selection, POLICY_ATTRIBUTES, ['ref']);
      return listRecords(store.policies, { filter, sort, page, fields }, (record) =>
        selection.apply(policyView(record)),
      );
    },
  });

export const getPolicyRoute = ({ store }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/policies/{ref_or_id}',
    operation: 'policies.get_one',
    summary: 'One policy',
    permission: 'policy_view',
    response: { status: 200, schema: policySchema },
    async handle({ params }) {
      return { status: 200, body: policyView(await findRecord(store.policies, params['ref_or_id'])) };
    },
  });
