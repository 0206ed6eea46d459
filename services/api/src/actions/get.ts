import { attributeParameters, pageParameters, readAttributes, readPage, route, type Route } from '@switchyard/http';
import type { ActionRecord } from '@switchyard/model';
import { actionAnswer } from '@switchyard/model/resources';
import { ACTION_ATTRIBUTES, actionView } from './action-view';
import { findAction } from './find-action';
import { actionAttributes, actionFilter, actionFilters, actionOrder, visibleActions } from './list-query';
import type { ApiDependencies } from '../api-dependencies';
import { listRecords } from '../lists/list-records';
import { listed } from '../lists/listed-schema';
import { pageBudget } from '../lists/page-budget';
import { storedFields } from '../lists/stored-fields';
import { guardedRecord } from '../permissions/guarded-record';
import { visibleRecords } from '../permissions/visible-records';

export const listActionsRoute = (deps: ApiDependencies): Route => {
  const { config, store } = deps;
  return route({
    method: 'GET',
    path: '/actions',
    operation: 'actions.get_all',
    summary: 'Actions by pack and name',
    permission: 'action_list',
    query: { ...actionFilters, ...pageParameters, ...attributeParameters },
    response: { status: 200, schema: listed(actionAnswer) },
    async handle(request) {
      const page = readPage(request, { maxPageSize: config.api.max_page_size });
      const selection = readAttributes(request.query, actionAttributes);
      const fields = storedFields<ActionRecord>(selection, ACTION_ATTRIBUTES);
      const filter = await visibleRecords(deps, request.requester, visibleActions, actionFilter(request.query));
      return listRecords(
        store.actions,
        { filter, sort: actionOrder, page, fields, budget: pageBudget(config, request) },
        (record) => selection.apply(actionView(record)),
      );
    },
  });
};

export const getActionRoute = ({ store }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/actions/{ref_or_id}',
    operation: 'actions.get_one',
    summary: 'One action',
    permission: 'action_view',
    resource: ({ params }) => guardedRecord('action', store.actions, params.ref_or_id),
    response: { status: 200, schema: actionAnswer },
    handle: async (request) => ({ status: 200, body: actionView(await findAction(store, request)) }),
  });
