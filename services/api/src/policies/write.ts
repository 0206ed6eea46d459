import { Fault, fault, isFault, newId } from '@switchyard/base';
import { refuseSystemPack } from '@switchyard/content';
import { route, type Requester, type Route } from '@switchyard/http';
import { checkPolicy, type PolicyRecord } from '@switchyard/model';
import { policyAnswer, policyBody } from '@switchyard/model/resources';
import { isNot } from '@switchyard/storage';
import type { ApiDependencies } from '../api-dependencies';
import { findRecord, findReplaced } from '../find-record';
import { policyView } from './policy-view';
import { guardedRecord } from '../permissions/guarded-record';
import { grantedTo } from '../permissions/visible-records';

export const createPolicyRoute = (deps: ApiDependencies): Route => {
  const { store, logger } = deps;
  return route({
    method: 'POST',
    path: '/policies',
    operation: 'policies.post',
    summary: 'Create a policy',
    permission: 'policy_create',
    // The same checks as for files of packs apply to the whole body.
    body: 'any',
    bodySchema: policyBody,
    response: { status: 201, schema: policyAnswer },
    async handle({ body, requester }) {
      const record = { _id: newId(), ...checkPolicy(body) };
      // A policy there could never be removed.
      refuseSystemPack(record.pack);
      await refusingClash(deps, requester, record, store.policies.insert(record));
      logger.audit('Policy created.', { policy: record.ref, user: requester.user });
      return { status: 201, body: policyView(record) };
    },
  });
};

export const updatePolicyRoute = (deps: ApiDependencies): Route => {
  const { store, logger } = deps;
  return route({
    method: 'PUT',
    path: '/policies/{ref_or_id}',
    operation: 'policies.put',
    summary: 'Replace a policy, keeping its id',
    permission: 'policy_modify',
    resource: ({ params }) => guardedRecord('policy', store.policies, params.ref_or_id),
    body: 'any',
    bodySchema: policyBody,
    response: { status: 200, schema: policyAnswer },
    async handle({ body, params, requester }) {
      const before = await findReplaced(store.policies, params.ref_or_id, () => checkPolicy(body));
      refuseSystemPack(before.pack);
      const record = { _id: before._id, ...checkPolicy(body, before.pack) };
      refuseSystemPack(record.pack);
      if (!(await refusingClash(deps, requester, record, store.policies.replace(record))))
        throw fault('resource.changed-meanwhile', { id: before.ref });
      logger.audit('Policy updated.', { policy: record.ref, user: requester.user });
      return { status: 200, body: policyView(record) };
    },
  });
};

export const deletePolicyRoute = ({ store, logger }: ApiDependencies): Route =>
  route({
    method: 'DELETE',
    path: '/policies/{ref_or_id}',
    operation: 'policies.delete',
    summary: 'Delete a policy',
    permission: 'policy_delete',
    resource: ({ params }) => guardedRecord('policy', store.policies, params.ref_or_id),
    response: { status: 204 },
    async handle({ params, requester }) {
      const { _id, ref, pack } = await findRecord(store.policies, params.ref_or_id);
      refuseSystemPack(pack);
      await store.policies.remove(_id);
      logger.audit('Policy deleted.', { policy: ref, user: requester.user });
      return { status: 204 };
    },
  });

/** If a name or the place of a policy is taken, names the existing policy to users who may view it. */
async function refusingClash<T>(
  deps: Pick<ApiDependencies, 'store' | 'config' | 'identities'>,
  requester: Requester,
  { _id, ref, resource_ref: resource, policy_type: type }: PolicyRecord,
  write: Promise<T>,
): Promise<T> {
  const { policies } = deps.store;
  try {
    return await write;
  } catch (error) {
    if (!isFault(error) || error.code !== 'storage.duplicate') throw error;
    const [other] = await policies.list({ filter: { resource_ref: resource, policy_type: type, _id: isNot(_id) } });
    const clash = other ?? (await policies.byKey(ref));
    const granted = await grantedTo(deps, requester, 'policy_view');
    if (!clash) throw error;
    if (granted && !granted.refs('policy').includes(clash.ref))
      throw new Fault(error.code, error.status, error.message, { cause: error });
    const named = other && other.ref !== ref ? fault('policy.taken', { resource, type, ref: other.ref }) : error;
    throw new Fault(named.code, named.status, named.message, { cause: error, extra: { 'conflict-id': clash._id } });
  }
}
