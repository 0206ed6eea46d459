import { route, type Route } from '@switchyard/http';
import { Type } from '@sinclair/typebox';
import type { ApiDependencies } from '../api-dependencies';
import { filterValues } from './filter-values';

const filterValuesSchema = Type.Object(
  Object.fromEntries(Object.keys(filterValues).map((name) => [name, Type.Optional(Type.Array(Type.String()))])),
  { title: 'ExecutionFilterValues' },
);

export const filterValuesRoute = ({ executions }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/executions/views/filters',
    operation: 'execution_views_filters.get_all',
    summary: 'The values by which executions can be filtered',
    permission: 'execution_views_filters_list',
    query: { types: { type: 'list', description: 'Only these filters' } },
    response: { status: 200, schema: filterValuesSchema },
    async handle({ query: { types } }) {
      const chosen = Object.entries(filterValues).filter(([name]) => types?.includes(name) ?? true);
      const found = chosen.map(async ([name, read]) => [name, await read(executions.records)] as const);
      return { status: 200, body: Object.fromEntries(await Promise.all(found)) };
    },
  });
