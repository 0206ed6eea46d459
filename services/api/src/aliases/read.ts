import { route, type Route, secretsShown, showSecretsParameter } from '@switchyard/http';
import { actionAliasAnswer, actionAliasRecordSchema } from '@switchyard/model/resources';
import { byText, listRoute } from '../lists/list-route';
import { sortableBy } from '../lists/sortable-by';
import { NEEDED_FIELDS, viewAlias, viewAliases } from './alias-view';
import type { ApiDependencies } from '../api-dependencies';
import { findRecord } from '../find-record';
import { guardedRecord } from '../permissions/guarded-record';
import { visibleInPacks } from '../permissions/visible-records';

export const listAliasesRoute = (deps: ApiDependencies): Route =>
  listRoute(deps, {
    path: '/actionalias',
    operation: 'action_alias.get_all',
    summary: 'Action aliases by pack and name',
    permission: 'action_alias_list',
    visible: visibleInPacks('action_alias'),
    records: deps.store.actionAliases,
    filters: {
      name: byText('name'),
      pack: byText('pack'),
      action_ref: byText('action_ref', 'Reference of the action that they run'),
    },
    sortable: sortableBy(actionAliasRecordSchema),
    order: { pack: 1, name: 1 },
    defaultLimit: 100,
    attributes: { always: ['ref'] },
    needed: NEEDED_FIELDS,
    query: showSecretsParameter,
    schema: actionAliasAnswer,
    views: (found, asked) => viewAliases(deps.store, found, { secrets: secretsShown(asked, deps.config) }),
  });

export const getAliasRoute = ({ config, store }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/actionalias/{ref_or_id}',
    operation: 'action_alias.get_one',
    summary: 'One action alias',
    permission: 'action_alias_view',
    resource: ({ params }) => guardedRecord('action_alias', store.actionAliases, params.ref_or_id),
    query: showSecretsParameter,
    response: { status: 200, schema: actionAliasAnswer },
    async handle(request) {
      const alias = await findRecord(store.actionAliases, request.params.ref_or_id);
      return { status: 200, body: await viewAlias(store, alias, { secrets: secretsShown(request, config) }) };
    },
  });
