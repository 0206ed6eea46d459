import { route, type Route } from '@switchyard/http';
import { policyAnswer, policyRecordSchema } from '@switchyard/model/resources';
import { byText, listRoute } from '../lists/list-route';
import { sortableBy } from '../lists/sortable-by';
import type { ApiDependencies } from '../api-dependencies';
import { findRecord } from '../find-record';
import { policyView } from './policy-view';
import { guardedRecord } from '../permissions/guarded-record';
import { visibleByName } from '../permissions/visible-records';

export const listPoliciesRoute = (deps: ApiDependencies): Route =>
  listRoute(deps, {
    path: '/policies',
    operation: 'policies.get_all',
    summary: 'Policies by pack and name',
    permission: 'policy_list',
    visible: visibleByName('policy', 'ref'),
    records: deps.store.policies,
    filters: {
      name: byText('name'),
      pack: byText('pack'),
      resource_ref: byText('resource_ref', 'Reference of their action'),
      policy_type: byText('policy_type', 'Reference of the policy type'),
    },
    sortable: sortableBy(policyRecordSchema),
    order: { pack: 1, name: 1 },
    defaultLimit: 100,
    attributes: { always: ['ref'] },
    needed: ['ref'],
    schema: policyAnswer,
    views: (found) => found.map(policyView),
  });

export const getPolicyRoute = ({ store }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/policies/{ref_or_id}',
    operation: 'policies.get_one',
    summary: 'One policy',
    permission: 'policy_view',
    resource: ({ params }) => guardedRecord('policy', store.policies, params.ref_or_id),
    response: { status: 200, schema: policyAnswer },
    async handle({ params }) {
      return { status: 200, body: policyView(await findRecord(store.policies, params.ref_or_id)) };
    },
  });
