import { fault } from '@switchyard/base';
import { readEntryPoint } from '@switchyard/content';
import {
  attributeParameters,
  exposed,
  pageParameters,
  readAttributes,
  readPage,
  route,
  type Route,
} from '@switchyard/http';
import type { ActionRecord } from '@switchyard/model';
import { actionAnswer, schemaByName } from '@switchyard/model/resources';
import { Type } from '@sinclair/typebox';
import { versionTag } from './action-version';
import { ACTION_ATTRIBUTES, actionView, runnerMerge } from './action-view';
import { findAction } from './find-action';
import { actionAttributes, actionFilter, actionFilters, actionOrder, visibleActions } from './list-query';
import type { ApiDependencies } from '../api-dependencies';
import { listRecords } from '../lists/list-records';
import { listed } from '../lists/listed-schema';
import { pageBudget } from '../lists/page-budget';
import { contentType } from '../packs/content-type';
import { packDirectory } from '../packs/pack-directory';
import { storedFields } from '../lists/stored-fields';
import { guardedRecord } from '../permissions/guarded-record';
import { visibleRecords } from '../permissions/visible-records';

const MOST_IDS = 100;

export const parametersRoute = ({ store }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/actions/views/parameters/{ref_or_id}',
    operation: 'actions_views_parameters.get_one',
    summary: 'The parameters of an action, including those of its runner',
    permission: 'action_view',
    resource: ({ params }) => guardedRecord('action', store.actions, params.ref_or_id),
    response: { status: 200, schema: Type.Object({ parameters: schemaByName }, { title: 'ActionParameters' }) },
    async handle(request) {
      const action = await findAction(store, request);
      const merge = await runnerMerge(store);
      return { status: 200, body: { parameters: merge(action) } };
    },
  });

export const overviewListRoute = (deps: ApiDependencies): Route => {
  const { config, store } = deps;
  return route({
    method: 'GET',
    path: '/actions/views/overview',
    operation: 'actions_views_overview.get_all',
    summary: 'Actions with the parameters of their runners',
    permission: 'action_list',
    query: { ...actionFilters, ...pageParameters, ...attributeParameters },
    response: { status: 200, schema: listed(actionAnswer) },
    async handle(request) {
      const page = readPage(request, { maxPageSize: config.api.max_page_size });
      const selection = readAttributes(request.query, actionAttributes);
      const asked = actionFilter(request.query, MOST_IDS);
      const filter = await visibleRecords(deps, request.requester, visibleActions, asked);
      const fields = storedFields<ActionRecord>(selection, ACTION_ATTRIBUTES, ['runner_type', 'parameters']);
      const merge = await runnerMerge(store);
      return listRecords(
        store.actions,
        { filter, sort: actionOrder, page, fields, budget: pageBudget(config, request) },
        (record) => selection.apply(actionView({ ...record, parameters: merge(record) })),
      );
    },
  });
};

export const overviewRoute = ({ store }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/actions/views/overview/{ref_or_id}',
    operation: 'actions_views_overview.get_one',
    summary: 'One action with the parameters of its runner',
    permission: 'action_view',
    resource: ({ params }) => guardedRecord('action', store.actions, params.ref_or_id),
    response: { status: 200, schema: actionAnswer },
    async handle(request) {
      const action = await findAction(store, request);
      const merge = await runnerMerge(store);
      return { status: 200, body: actionView({ ...action, parameters: merge(action) }) };
    },
  });

export const entryPointRoute = ({ store, packRoots }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/actions/views/entry_point/{ref_or_id}',
    operation: 'actions_views_entry_point.get_one',
    summary: 'The file that an action runs',
    permission: 'action_view',
    resource: ({ params }) => guardedRecord('action', store.actions, params.ref_or_id),
    response: { status: 200, type: 'text/plain' },
    async handle(request) {
      const action = await findAction(store, request);
      const { ref, entry_point: path } = action;
      if (path === '') throw fault('content.no-entry-point', { ref });
      const directory = await packDirectory(packRoots, action.pack);
      if (directory === undefined) throw fault('content.file-not-found', { path });
      const { content } = await readEntryPoint(directory, action);
      const headers = {
        'Content-Type': contentType(path, 'text/plain'),
        ETag: versionTag(action, content),
        'Access-Control-Expose-Headers': exposed('ETag'),
      };
      return { status: 200, text: content.toString(), headers };
    },
  });
