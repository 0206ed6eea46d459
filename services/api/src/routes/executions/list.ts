import { attributeParameters, pageParameters, readAttributes, readPage, route, type Route } from '@switchyard/http';
import { Type } from '@sinclair/typebox';
import type { ApiDependencies } from '../../api-dependencies';
import { executionAttributes, selectedFields, selectedParts } from '../../executions/attributes';
import { executionFilters, executionQuery } from '../../executions/list-query';
import { listRecords } from '../../list-records';
import { secretsShown, showSecretsParameter } from '../../secrets-shown';
import { executionSchema } from './schema';

const DEFAULT_LIMIT = 100;

export const listExecutionsRoute = ({ config, store, executions }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/executions',
    operation: 'executions.get_all',
    summary: 'Executions, newest first',
    permission: 'execution_list',
    query: { ...executionFilters, ...pageParameters, ...attributeParameters, ...showSecretsParameter },
    response: { status: 200, schema: Type.Array(executionSchema) },
    handle(request) {
      const page = readPage(request, { defaultLimit: DEFAULT_LIMIT, maxPageSize: config.api.max_page_size });
      const selection = readAttributes(request.query, executionAttributes);
      const { wants } = selection;
      const showSecrets = secretsShown(request, config);
      return listRecords(
        store.executions,
        { ...executionQuery(request.query), page, fields: selectedFields(selection) },
        async (record) => selectedParts(selection, await executions.view.execution(record, { showSecrets, wants })),
      );
    },
  });
