import type { ExecutionRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';

type Executions = Pick<Store['executions'], 'list' | 'distinct'>;

/** The values that a stored field has, sorted. */
type Values = (executions: Executions) => Promise<string[]>;

/** What executions can be filtered by, and how to come by its values without looking at every execution. */
export const filterValues: Readonly<Record<string, Values>> = {
  action: (executions) => indexedValues(executions, 'action_ref'),
  status: (executions) => indexedValues(executions, 'status'),
  user: (executions) => indexedValues(executions, 'context.user'),
  runner: runnersOfActions,
  rule: fromRules('rule.name'),
  trigger: fromRules('trigger.name'),
  trigger_type: fromRules('trigger_type.name'),
};

/** Steps from value to value of a field that an index begins with: one small read for each. */
async function indexedValues(executions: Executions, field: string): Promise<string[]> {
  const values: string[] = [];
  for (;;) {
    const last = values.at(-1) ?? '';
    const page = { filter: { [field]: { $gt: last } }, sort: { [field]: 1 as const }, limit: 1, fields: [field] };
    const [next] = await executions.list(page);
    if (!next) return values;
    values.push(valueAt(next, field));
  }
}

const valueAt = (record: ExecutionRecord, path: string): string =>
  path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], record) as string;

/** The runner that each action last ran on: a runner that no action uses any more is nothing to look for. */
async function runnersOfActions(executions: Executions): Promise<string[]> {
  const actions = await indexedValues(executions, 'action_ref');
  const newest = actions.map((action) =>
    executions.list({
      filter: { action_ref: action },
      sort: { start_timestamp: -1 },
      limit: 1,
      fields: ['runner_name'],
    }),
  );
  return [...new Set((await Promise.all(newest)).flat().map(({ runner_name: name }) => name))].sort();
}

/** Only executions that a rule has asked for have these, and there is an index of those. */
function fromRules(field: string): Values {
  return async (executions) => {
    const found = await executions.distinct(field, { 'rule.ref': { $exists: true } });
    return found.filter((value) => typeof value === 'string').sort();
  };
}
