import { readSort, sortParameter, type Direction, type QueryValues } from '@switchyard/http';
import type { ExecutionRecord } from '@switchyard/model';
import { executionRecordSchema } from '@switchyard/model/resources';
import { allFilters, where, type Filter, type RecordPath, type Sort, anyFilter, isOneOf } from '@switchyard/storage';
import { idCondition, readTimeRange, textCondition, timeCondition } from '../lists/conditions';
import { sortableBy } from '../lists/sortable-by';
import { rawFilter } from './raw-filter';

const text = { type: 'string' } as const;

/** Query parameters that filter executions. */
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
  sort_asc: { ...text, description: 'Any value: oldest first' },
  sort_desc: { ...text, description: 'Any value: newest first' },
  filter: { ...text, description: 'More conditions, as field.path:value, separated by spaces' },
  ...sortParameter,
} as const;

export type ExecutionFilters = Partial<QueryValues<typeof executionFilters>>;

/** Filters that compare one stored field with a text. */
const FIELDS = {
  action: 'action_ref',
  status: 'status',
  parent: 'parent',
  runner: 'runner_name',
  user: 'context.user',
  liveaction: 'liveaction_id',
  trigger_instance: 'trigger_instance.id',
} as const satisfies Record<string, RecordPath<ExecutionRecord>>;

const NAMED = ['rule', 'trigger', 'trigger_type'] as const;

const SORTABLE = sortableBy(executionRecordSchema);

interface ExecutionQuery {
  filter: Filter<ExecutionRecord>;
  sort: Sort<ExecutionRecord>;
}

/** @throws Fault of the `request.` family or `execution.filter-…` for invalid values */
export function executionQuery(query: ExecutionFilters): ExecutionQuery {
  const started = startCondition(query);
  const alternatives = NAMED.flatMap((name) => {
    const given = query[name];
    return given === undefined ? [] : [namedCondition(name, given)];
  });
  const filter: Filter<ExecutionRecord> = {
    ...(query.id ? { _id: idCondition(query.id) } : {}),
    ...fieldConditions(query),
    ...(started.condition ? { start_timestamp: started.condition } : {}),
    ...(alternatives.length > 0 ? allFilters(alternatives) : {}),
    ...rawFilter(query.filter),
  };
  // Two executions hardly ever start in the same microsecond, and a second sort key would rule out indexes.
  return { filter, sort: readSort(query.sort, SORTABLE, { start_timestamp: started.direction }) };
}

function fieldConditions(query: ExecutionFilters): Filter<ExecutionRecord> {
  const names = Object.keys(FIELDS) as (keyof typeof FIELDS)[];
  const conditions = names.flatMap((name) => {
    const given = query[name];
    return given === undefined ? [] : [where<ExecutionRecord>(FIELDS[name], textCondition(given))];
  });
  return Object.assign({}, ...conditions) as Filter<ExecutionRecord>;
}

/** Newest first, unless the request asks for the reverse. */
function startCondition(query: ExecutionFilters) {
  const { timestamp, timestamp_gt: after, timestamp_lt: before } = query;
  const at = timestamp === undefined ? {} : readTimeRange(timestamp);
  const descending = query.sort_desc !== undefined || before !== undefined;
  const ascending = query.sort_asc !== undefined || after !== undefined;
  const direction: Direction = descending ? -1 : ascending ? 1 : (at.direction ?? -1);
  return { direction, condition: timeCondition({ ...at, after, before }) };
}

/**
 * Finds executions by the rule, trigger or trigger type that they came from, given by name or by reference. Names of
 * built-in triggers begin with `st2.` or with `svc.`: either finds both.
 */
function namedCondition(field: 'rule' | 'trigger' | 'trigger_type', text: string): Filter<ExecutionRecord> {
  const named = (part: 'name' | 'ref', condition: unknown) => where<ExecutionRecord>(`${field}.${part}`, condition);
  if (text.toLowerCase() === 'null') return named('name', null);
  const names = text
    .split(',')
    .filter((name) => name !== '')
    .flatMap(spellings);
  const condition = names.length === 1 ? names[0] : isOneOf(names);
  // A name without a dot cannot be a reference, and a single condition can use one index.
  if (!text.includes('.')) return named('name', condition);
  return anyFilter([named('name', condition), named('ref', condition)]);
}

const PREFIX = /^(core\.)?(st2|svc)\./;

const spellings = (name: string): string[] => {
  const [, pack = '', prefix] = PREFIX.exec(name) ?? [];
  if (prefix === undefined) return [name];
  return [name, name.replace(PREFIX, `${pack}${prefix === 'st2' ? 'svc' : 'st2'}.`)];
};
