import { Type } from '@sinclair/typebox';
import type { ExecutionRecords } from '@switchyard/executions';
import { route, type Route } from '@switchyard/http';
import type { ExecutionRecord } from '@switchyard/model';
import { above, isThere, where, type Sort } from '@switchyard/storage';
import type { ApiDependencies } from '../api-dependencies';

type Records = Pick<ExecutionRecords, 'list' | 'distinct'>;

/** Returns the sorted values of a stored field. */
type Values = (records: Records) => Promise<string[]>;

/** The filters of executions, and how to find their values without reading every execution. */
const filterValues: Readonly<Record<string, Values>> = {
  action: (records) => indexedValues(records, 'action_ref'),
  status: (records) => indexedValues(records, 'status'),
  user: (records) => indexedValues(records, 'context.user'),
  runner: runnersOfActions,
  rule: fromRules('rule.name'),
  trigger: fromRules('trigger.name'),
  trigger_type: fromRules('trigger_type.name'),
};

type Indexed = 'action_ref' | 'status' | 'context.user';

/** Steps from value to value of a field that leads an index: one small read for each. */
async function indexedValues(records: Records, field: Indexed): Promise<string[]> {
  const values: string[] = [];
  for (;;) {
    const last = values.at(-1) ?? '';
    const filter = where<ExecutionRecord>(field, above(last));
    const [next] = await records.list({
      filter,
      sort: { [field]: 1 } as Sort<ExecutionRecord>,
      limit: 1,
      fields: [field],
    });
    if (!next) return values;
    values.push(valueAt(next, field));
  }
}

const valueAt = (record: ExecutionRecord, path: string): string =>
  path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], record) as string;

/** The runner that each action last used: a runner that no action uses any more is not worth filtering by. */
async function runnersOfActions(records: Records): Promise<string[]> {
  const actions = await indexedValues(records, 'action_ref');
  const newest = actions.map((action) =>
    records.list({
      filter: { action_ref: action },
      sort: { start_timestamp: -1 },
      limit: 1,
      fields: ['runner_name'],
    }),
  );
  return [...new Set((await Promise.all(newest)).flat().map(({ runner_name: name }) => name))].sort();
}

/** Only executions that a rule requested have these, and there is an index of those. */
function fromRules(field: 'rule.name' | 'trigger.name' | 'trigger_type.name'): Values {
  return async (records) => {
    const found = await records.distinct(field, { 'rule.ref': isThere });
    return found.filter((value) => typeof value === 'string').sort();
  };
}

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
