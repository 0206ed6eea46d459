import {
  idCondition,
  readSort,
  readTime,
  sortParameter,
  textCondition,
  timeCondition,
  type Condition,
  type Direction,
  type QueryValues,
} from '@switchyard/http';
import type { Filter, Sort } from '@switchyard/storage';
import { namedCondition } from './named-condition';
import { rawFilter } from './raw-filter';

const text = { type: 'string' } as const;

/** Query parameters by which executions are found. */
export const executionFilters = {
  id: { type: 'list', description: 'Ids' },
  action: { ...text, description: 'Reference of the action' },
  status: text,
  parent: { ...text, description: 'Id of the parent; null for executions without one' },
  runner: { ...text, description: 'Name of the runner type' },
  user: text,
  liveaction: { ...text, description: 'Id of the live action' },
  rule: { ...text, description: 'Name or reference of the rule' },
  trigger: { ...text, description: 'Name or reference of the trigger' },
  trigger_type: { ...text, description: 'Name or reference of the trigger type' },
  trigger_instance: { ...text, description: 'Id of the trigger instance' },
  timestamp: { ...text, description: 'Time of the start, or A..B' },
  timestamp_gt: { ...text, description: 'Started after' },
  timestamp_lt: { ...text, description: 'Started before' },
  sort_asc: { ...text, description: 'Any text: oldest first' },
  sort_desc: { ...text, description: 'Any text: newest first' },
  filter: { ...text, description: 'Further conditions, field.path:value, separated by blanks' },
  ...sortParameter,
} as const;

export type ExecutionFilters = QueryValues<typeof executionFilters>;

/** Filters that compare one stored field with a text. */
const FIELDS = {
  action: 'action_ref',
  status: 'status',
  parent: 'parent',
  runner: 'runner_name',
  user: 'context.user',
  liveaction: 'liveaction_id',
  trigger_instance: 'trigger_instance.id',
} as const;

const NAMED = ['rule', 'trigger', 'trigger_type'] as const;

const SORTABLE: Readonly<Record<string, string>> = {
  ...FIELDS,
  id: '_id',
  timestamp: 'start_timestamp',
  start_timestamp: 'start_timestamp',
  rule: 'rule.name',
  trigger: 'trigger.name',
  trigger_type: 'trigger_type.name',
};

export interface ExecutionQuery {
  filter: Filter;
  sort: Sort;
}

/** @throws Fault of the `request.` family or `execution.filter-…` for what cannot be understood */
export function executionQuery(query: ExecutionFilters): ExecutionQuery {
  const started = startCondition(query);
  const alternatives = NAMED.flatMap((name) => {
    const given = query[name];
    return given === undefined ? [] : [namedCondition(name, given)];
  });
  const filter: Filter = {
    ...(query.id ? { _id: idCondition(query.id) } : {}),
    ...fieldConditions(query),
    ...(started.condition ? { start_timestamp: started.condition } : {}),
    ...(alternatives.length > 0 ? { $and: alternatives } : {}),
    ...rawFilter(query.filter),
  };
  // Two executions hardly ever start in the same microsecond, and a second key would keep indexes from being used.
  return { filter, sort: readSort(query.sort, SORTABLE, { start_timestamp: started.direction }) };
}

function fieldConditions(query: ExecutionFilters): Filter {
  const conditions: Filter = {};
  for (const [name, field] of Object.entries(FIELDS)) {
    const given = query[name as keyof typeof FIELDS];
    if (given !== undefined) conditions[field] = textCondition(given);
  }
  return conditions;
}

interface Start {
  condition?: Condition;
  direction: Direction;
}

/** Newest first, unless the question is asked from the other end. */
function startCondition(query: ExecutionFilters): Start {
  const { timestamp, timestamp_gt: after, timestamp_lt: before } = query;
  const at = timestamp === undefined ? undefined : timeCondition(timestamp);
  const condition = {
    ...(at?.condition as Readonly<Record<string, unknown>> | undefined),
    ...(after === undefined ? {} : { $gt: readTime(after) }),
    ...(before === undefined ? {} : { $lt: readTime(before) }),
  };
  const descending = query.sort_desc !== undefined || before !== undefined;
  const ascending = query.sort_asc !== undefined || after !== undefined;
  const direction = descending ? -1 : ascending ? 1 : (at?.direction ?? -1);
  return { direction, ...(Object.keys(condition).length > 0 ? { condition } : {}) };
}
