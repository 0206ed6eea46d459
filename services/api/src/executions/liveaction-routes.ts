import { fault } from '@switchyard/base';
import {
  attributeParameters,
  type AttributeSelection,
  pageParameters,
  readAttributes,
  readPage,
  route,
  type Route,
  secretsShown,
  showSecretsParameter,
} from '@switchyard/http';
import type { ExecutionRecord } from '@switchyard/model';
import { attributeNames, liveactionAnswer } from '@switchyard/model/resources';
import { idCondition } from '../lists/conditions';
import type { ApiDependencies } from '../api-dependencies';
import { withFittingResult } from './execution-answer';
import { guardedLiveaction, visibleExecutions } from './execution-permissions';
import { executionFilters, executionQuery } from './list-query';
import { listRecords } from '../lists/list-records';
import { inPart, listed } from '../lists/listed-schema';
import { pageBudget } from '../lists/page-budget';
import { visibleRecords } from '../permissions/visible-records';

/** Live actions are another view of executions: the same records under ids of their own. */
export const liveactionRoutes = (deps: ApiDependencies): Route[] => [listLiveactions(deps), getLiveaction(deps)];

const DEFAULT_LIMIT = 100;
const attributes = { known: attributeNames(liveactionAnswer) };

const listLiveactions = (deps: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/liveactions',
    operation: 'liveactions.get_all',
    summary: 'Live actions, newest first',
    permission: 'execution_list',
    query: { ...executionFilters, ...pageParameters, ...attributeParameters, ...showSecretsParameter },
    response: { status: 200, schema: listed(liveactionAnswer) },
    async handle(request) {
      const { id, ...rest } = request.query;
      const page = readPage(request, { defaultLimit: DEFAULT_LIMIT, maxPageSize: deps.config.api.max_page_size });
      const selection = readAttributes(request.query, attributes);
      const { filter: asked, sort } = executionQuery({ ...rest, id: undefined });
      const filter = await visibleRecords(deps, request.requester, visibleExecutions, {
        ...asked,
        ...(id ? { liveaction_id: idCondition(id) } : {}),
      });
      const budget = pageBudget(deps.config, request);
      const showSecrets = secretsShown(request, deps.config);
      return listRecords(deps.executions.records, { filter, sort, page, budget }, (record) =>
        withFittingResult(record, { wanted: selection.wants('result'), budget }, ({ result }) =>
          viewOf(deps, record, selection, { showSecrets, result }),
        ),
      );
    },
  });

const getLiveaction = (deps: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/liveactions/{id}',
    operation: 'liveactions.get_one',
    summary: 'One live action',
    permission: 'execution_view',
    resource: guardedLiveaction(deps),
    query: { ...attributeParameters, ...showSecretsParameter },
    response: { status: 200, schema: inPart(liveactionAnswer) },
    async handle(request) {
      const selection = readAttributes(request.query, attributes);
      const { id = '' } = request.params;
      const record = await deps.executions.records.getByLiveaction(id);
      if (!record) throw fault('execution.not-found', { id });
      const showSecrets = secretsShown(request, deps.config);
      return { status: 200, body: await viewOf(deps, record, selection, { showSecrets, result: true }) };
    },
  });

async function viewOf(
  { executions }: ApiDependencies,
  record: ExecutionRecord,
  selection: AttributeSelection,
  { showSecrets, result }: { showSecrets: boolean; result: boolean },
): Promise<Record<string, unknown>> {
  const options = { showSecrets, result: result && selection.wants('result') };
  return selection.apply(await executions.view.liveaction(record, options));
}
