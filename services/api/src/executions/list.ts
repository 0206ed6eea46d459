import { attributeParameters, pageParameters, readAttributes, readPage, route, type Route } from '@switchyard/http';
import { executionAnswer } from '@switchyard/model/resources';
import type { ApiDependencies } from '../api-dependencies';
import { executionAttributes, selectedFields, selectedParts } from './attributes';
import { withFittingResult } from './fitting-result';
import { executionFilters, executionQuery } from './list-query';
import { listRecords } from '../lists/list-records';
import { listed } from '../lists/listed-schema';
import { pageBudget } from '../lists/page-budget';
import { secretsShown, showSecretsParameter } from '../secrets-shown';

const DEFAULT_LIMIT = 100;

export const listExecutionsRoute = ({ config, executions }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/executions',
    operation: 'executions.get_all',
    summary: 'Executions, newest first',
    permission: 'execution_list',
    query: { ...executionFilters, ...pageParameters, ...attributeParameters, ...showSecretsParameter },
    response: { status: 200, schema: listed(executionAnswer) },
    handle(request) {
      const page = readPage(request, { defaultLimit: DEFAULT_LIMIT, maxPageSize: config.api.max_page_size });
      const selection = readAttributes(request.query, executionAttributes);
      const { wants } = selection;
      const showSecrets = secretsShown(request, config);
      const budget = pageBudget(config, request);
      return listRecords(
        executions.records,
        { ...executionQuery(request.query), page, budget, fields: selectedFields(selection) },
        (record) =>
          withFittingResult(record, { wanted: wants('result'), budget }, async (parts) =>
            selectedParts(selection, await executions.view.execution(record, { showSecrets, wants, ...parts })),
          ),
      );
    },
  });
