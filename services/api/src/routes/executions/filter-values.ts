import { route, type Route } from '@switchyard/http';
import { Type } from '@sinclair/typebox';
import type { ApiDependencies } from '../../api-dependencies';

/** What lists can be filtered by, and where its values are stored. */
const FIELDS: Readonly<Record<string, string>> = {
  action: 'action_ref',
  rule: 'rule.name',
  runner: 'runner_name',
  status: 'status',
  trigger: 'trigger.name',
  trigger_type: 'trigger_type.name',
  user: 'context.user',
};

export const filterValuesRoute = ({ store }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/executions/views/filters',
    operation: 'execution_views_filters.get_all',
    summary: 'The values by which executions can be filtered',
    permission: 'execution_views_filters_list',
    query: { types: { type: 'list', description: 'Only these filters' } },
    response: { status: 200, schema: Type.Record(Type.String(), Type.Array(Type.String())) },
    async handle({ query: { types } }) {
      const chosen = Object.entries(FIELDS).filter(([name]) => types?.includes(name) ?? true);
      const values = chosen.map(async ([name, field]): Promise<[string, unknown[]]> => {
        const found = await store.executions.distinct(field);
        return [name, found.filter((value) => typeof value === 'string').sort()];
      });
      return { status: 200, body: Object.fromEntries(await Promise.all(values)) };
    },
  });
