import { fault, MIB } from '@switchyard/base';
import {
  attributeParameters,
  pageParameters,
  type QueryValues,
  readAttributes,
  readPage,
  route,
  type Route,
  secretsShown,
  showSecretsParameter,
} from '@switchyard/http';
import type { ExecutionRecord } from '@switchyard/model';
import { executionAnswer } from '@switchyard/model/resources';
import type { ApiDependencies } from '../api-dependencies';
import { listRecords } from '../lists/list-records';
import { inPart, listed } from '../lists/listed-schema';
import { pageBudget } from '../lists/page-budget';
import {
  executionAttributes,
  selectedFields,
  selectedParts,
  findExecution,
  withFittingResult,
} from './execution-answer';
import { guardedExecution, partOfExecution, type ExecutionNamed, visibleExecutions } from './execution-permissions';
import { executionFilters, executionQuery } from './list-query';
import { visibleRecords } from '../permissions/visible-records';

const LARGEST_LIMIT = 14 * MIB;

export const getExecutionRoute = (deps: ApiDependencies): Route => {
  /** Whole records whose permissions were checked, by request: they are not read again. */
  const checked = new WeakMap<object, ExecutionRecord>();
  return route({
    method: 'GET',
    path: '/executions/{id}',
    operation: 'executions.get_one',
    summary: 'One execution; "last" is the id of the newest one',
    permission: 'execution_view',
    resource: guardedExecution(deps, async (request: ExecutionNamed & { readonly query: Asked }) => {
      if (selectsAttributes(request.query)) return partOfExecution(deps, request);
      const record = await deps.executions.records.get(request.params.id);
      if (record) checked.set(request, record);
      return record;
    }),
    query: {
      ...attributeParameters,
      ...showSecretsParameter,
      max_result_size: { type: 'integer', description: 'Leave out larger results, in bytes; 0: no limit' },
    },
    response: { status: 200, schema: inPart(executionAnswer) },
    async handle(request) {
      const selection = readAttributes(request.query, executionAttributes);
      const limit = resultLimit(request.query.max_result_size);
      const fields = selectedFields(selection);
      const record = checked.get(request) ?? (await findExecution(deps, request, fields && [...fields, 'result_size']));
      const view = await deps.executions.view.execution(record, {
        showSecrets: secretsShown(request, deps.config),
        wants: selection.wants,
        result: isWithin(record, limit),
      });
      return { status: 200, body: selectedParts(selection, view) };
    },
  });
};

const selectsAttributes = ({ include_attributes: included, exclude_attributes: excluded }: Asked): boolean =>
  included !== undefined || excluded !== undefined;

type Asked = QueryValues<typeof attributeParameters>;

/** @throws Fault `execution.result-limit`, `execution.result-limit-too-large` */
function resultLimit(bytes = 0): number {
  if (bytes < 0) throw fault('execution.result-limit');
  if (bytes > LARGEST_LIMIT) throw fault('execution.result-limit-too-large');
  return bytes === 0 ? Number.POSITIVE_INFINITY : bytes;
}

const isWithin = ({ result_size: size = 0 }: ExecutionRecord, limit: number): boolean => size <= limit;

const DEFAULT_LIMIT = 100;

export const listExecutionsRoute = (deps: ApiDependencies): Route => {
  const { config, executions } = deps;
  return route({
    method: 'GET',
    path: '/executions',
    operation: 'executions.get_all',
    summary: 'Executions, newest first',
    permission: 'execution_list',
    query: { ...executionFilters, ...pageParameters, ...attributeParameters, ...showSecretsParameter },
    response: { status: 200, schema: listed(executionAnswer) },
    async handle(request) {
      const page = readPage(request, { defaultLimit: DEFAULT_LIMIT, maxPageSize: config.api.max_page_size });
      const selection = readAttributes(request.query, executionAttributes);
      const { wants } = selection;
      const showSecrets = secretsShown(request, config);
      const budget = pageBudget(config, request);
      const { filter: asked, sort } = executionQuery(request.query);
      const filter = await visibleRecords(deps, request.requester, visibleExecutions, asked);
      return listRecords(
        executions.records,
        { filter, sort, page, budget, fields: selectedFields(selection) },
        (record) =>
          withFittingResult(record, { wanted: wants('result'), budget }, async (parts) =>
            selectedParts(selection, await executions.view.execution(record, { showSecrets, wants, ...parts })),
          ),
      );
    },
  });
};
