import { fault, isPlainObject, newId } from '@switchyard/base';
import { route, type Route, secretsShown, showSecretsParameter } from '@switchyard/http';
import { recordChange, type RecordChangeMessage } from '@switchyard/messaging';
import { checkAlias, type ActionAliasRecord } from '@switchyard/model';
import { actionAliasAnswer, actionAliasBody } from '@switchyard/model/resources';
import { viewAlias } from './alias-view';
import type { ApiDependencies } from '../api-dependencies';
import { findRecord, findReplaced } from '../find-record';
import { refuseMasked } from '../rules/refuse-masked';
import { unmasked } from '../rules/unmask';
import { checkReplacement, isEmpty } from '../unopened-parameters';
import { guardedDraft, guardedRecord, guardedReplacement } from '../permissions/guarded-record';

export const createAliasRoute = (deps: ApiDependencies): Route =>
  route({
    method: 'POST',
    path: '/actionalias',
    operation: 'action_alias.post',
    summary: 'Create an action alias',
    permission: 'action_alias_create',
    resource: ({ body }) => guardedDraft('action_alias', body),
    query: showSecretsParameter,
    // The same checks as for files of packs apply to the whole body.
    body: 'any',
    bodySchema: actionAliasBody,
    response: { status: 201, schema: actionAliasAnswer },
    async handle(request) {
      const { config, store, logger } = deps;
      const draft = checkAlias(request.body, config.limits.max_pattern_length);
      await refuseMasked(store, draft.action_ref, draft.immutable_parameters, ['immutable_parameters']);
      const record = await store.actionAliases.insert({ _id: newId(), ...draft });
      logger.audit('Action alias created.', { alias: record.ref, user: request.requester.user });
      await announceAlias(deps, 'create', record);
      return { status: 201, body: await viewAlias(store, record, { secrets: secretsShown(request, config) }) };
    },
  });

export const updateAliasRoute = (deps: ApiDependencies): Route =>
  route({
    method: 'PUT',
    path: '/actionalias/{ref_or_id}',
    operation: 'action_alias.put',
    summary: 'Replace an action alias, keeping its id',
    permission: 'action_alias_modify',
    resource: ({ params, body }) =>
      guardedReplacement(guardedRecord('action_alias', deps.store.actionAliases, params.ref_or_id), {
        ...guardedDraft('action_alias', body),
        permission: 'action_alias_create',
      }),
    query: showSecretsParameter,
    body: 'any',
    bodySchema: actionAliasBody,
    response: { status: 200, schema: actionAliasAnswer },
    async handle(request) {
      const { config, store, logger } = deps;
      const { body: given, params } = request;
      const longest = config.limits.max_pattern_length;
      const before = await findReplaced(store.actionAliases, params.ref_or_id, () => checkAlias(given, longest));
      const draft = checkReplacement(given, before, {
        check: (body) => checkAlias(withSecrets(body, before), longest),
        isSame: (alias) => alias.action_ref === before.action_ref && isEmpty(alias.immutable_parameters),
      });
      const record = { _id: before._id, ...draft };
      await refuseMasked(store, record.action_ref, record.immutable_parameters, ['immutable_parameters']);
      if (!(await store.actionAliases.replace(record))) throw fault('resource.changed-meanwhile', { id: before.ref });
      logger.audit('Action alias updated.', { alias: record.ref, user: request.requester.user });
      await announceAlias(deps, 'update', record);
      return { status: 200, body: await viewAlias(store, record, { secrets: secretsShown(request, config) }) };
    },
  });

/** A client that changes one field sends back the masks of the others. */
function withSecrets(body: unknown, before: ActionAliasRecord): unknown {
  if (!isPlainObject(body) || body['action_ref'] !== before.action_ref) return body;
  const { immutable_parameters: given } = body;
  return given === undefined ? body : { ...body, immutable_parameters: unmasked(given, before.immutable_parameters) };
}

export const deleteAliasRoute = (deps: ApiDependencies): Route =>
  route({
    method: 'DELETE',
    path: '/actionalias/{ref_or_id}',
    operation: 'action_alias.delete',
    summary: 'Delete an action alias',
    permission: 'action_alias_delete',
    resource: ({ params }) => guardedRecord('action_alias', deps.store.actionAliases, params.ref_or_id),
    response: { status: 204 },
    async handle({ params, requester }) {
      const { store, logger } = deps;
      const record = await findRecord(store.actionAliases, params.ref_or_id);
      await store.actionAliases.remove(record._id);
      logger.audit('Action alias deleted.', { alias: record.ref, user: requester.user });
      await announceAlias(deps, 'delete', record);
      return { status: 204 };
    },
  });

/** Announces a changed alias to chat bots, through the stream. They also poll for changes. */
const announceAlias = async (
  { bus, logger }: Pick<ApiDependencies, 'bus' | 'logger'>,
  change: RecordChangeMessage['change'],
  { _id: id, ref }: ActionAliasRecord,
): Promise<void> =>
  bus
    .publisher()
    .publish(recordChange({ record: 'actionalias', change, id, ref }))
    .catch((error: unknown) => logger.warn('Failed to announce a change of an alias.', { alias: ref, error }));
