import { Type } from '@sinclair/typebox';
import type { ExecutionRecords } from '@switchyard/executions';
import { route, type Route } from '@switchyard/http';
import type { ExecutionRecord } from '@switchyard/model';
import { above, allFilters, isThere, where, type Filter, type Sort } from '@switchyard/storage';
import type { ApiDependencies } from '../api-dependencies';
import { visibleRecords } from '../permissions/visible-records';
import { visibleExecutions } from './execution-permissions';

type Records = Pick<ExecutionRecords, 'list' | 'distinct'>;

/** Returns the sorted values of a stored field among some executions. */
type Values = (records: Records, among: Filter<ExecutionRecord>) => Promise<string[]>;

/** The filters of executions, and how to find their values without reading every execution. */
const filterValues: Readonly<Record<string, Values>> = {
  action: (records, among) => indexedValues(records, 'action_ref', among),
  status: (records, among) => indexedValues(records, 'status', among),
  user: (records, among) => indexedValues(records, 'context.user', among),
  runner: runnersOfActions,
  rule: fromRules('rule.name'),
  trigger: fromRules('trigger.name'),
  trigger_type: fromRules('trigger_type.name'),
};

type Indexed = 'action_ref' | 'status' | 'context.user';

/** Steps from value to value of a field that leads an index: one small read for each. */
async function indexedValues(records: Records, field: Indexed, among: Filter<ExecutionRecord>): Promise<string[]> {
  const values: string[] = [];
  for (;;) {
    const last = values.at(-1) ?? '';
    const filter = allFilters([where<ExecutionRecord>(field, above(last)), among]);
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
async function runnersOfActions(records: Records, among: Filter<ExecutionRecord>): Promise<string[]> {
  const actions = await indexedValues(records, 'action_ref', among);
  const newest = actions.map((action) =>
    records.list({
      filter: allFilters([{ action_ref: action }, among]),
      sort: { start_timestamp: -1 },
      limit: 1,
      fields: ['runner_name'],
    }),
  );
  return [...new Set((await Promise.all(newest)).flat().map(({ runner_name: name }) => name))].sort();
}

/** Only executions that a rule requested have these, and there is an index of those. */
function fromRules(field: 'rule.name' | 'trigger.name' | 'trigger_type.name'): Values {
  return async (records, among) => {
    const found = await records.distinct(field, allFilters([{ 'rule.ref': isThere }, among]));
    return found.filter((value) => typeof value === 'string').sort();
  };
}

const filterValuesSchema = Type.Object(
  Object.fromEntries(Object.keys(filterValues).map((name) => [name, Type.Optional(Type.Array(Type.String()))])),
  { title: 'ExecutionFilterValues' },
);

export const filterValuesRoute = (deps: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/executions/views/filters',
    operation: 'execution_views_filters.get_all',
    summary: 'The values by which executions can be filtered',
    permission: 'execution_views_filters_list',
    query: { types: { type: 'list', description: 'Only these filters' } },
    response: { status: 200, schema: filterValuesSchema },
    async handle({ query: { types }, requester }) {
      const among = await visibleRecords(deps, requester, visibleExecutions);
      const chosen = Object.entries(filterValues).filter(([name]) => types?.includes(name) ?? true);
      const found = chosen.map(async ([name, read]) => [name, await read(deps.executions.records, among)] as const);
      return { status: 200, body: Object.fromEntries(await Promise.all(found)) };
    },
  });
