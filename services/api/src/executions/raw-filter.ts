import { fault } from '@switchyard/base';
import type { ExecutionRecord } from '@switchyard/model';
import { matchesPattern, isOneOf, type Filter, type RecordPath } from '@switchyard/storage';
import { readTime } from '../lists/conditions';

type Reader = (text: string) => unknown;

const NULL = 'null';
const asText: Reader = (text) => (text.toLowerCase() === NULL ? null : text);
const asTime: Reader = (text) => (text.toLowerCase() === NULL ? null : readTime(text));

/** Matches a text, or the JSON value that it spells. */
function asAnything(text: string): unknown {
  if (text.toLowerCase() === NULL) return null;
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'number' || typeof value === 'boolean' ? isOneOf([text, value]) : text;
  } catch {
    return text;
  }
}

interface Place {
  readonly field: RecordPath<ExecutionRecord>;
  readonly read: Reader;
}

const text = (field: Place['field']): Place => ({ field, read: asText });
const anything = (field: Place['field']): Place => ({ field, read: asAnything });

/** Public paths of an execution, and the stored fields behind them. */
const PLACES: Readonly<Record<string, Place>> = {
  id: text('_id'),
  status: text('status'),
  parent: text('parent'),
  workflow_execution: text('workflow_execution'),
  task_execution: text('task_execution'),
  web_url: text('web_url'),
  delay: anything('delay'),
  result_size: anything('result_size'),
  start_timestamp: { field: 'start_timestamp', read: asTime },
  end_timestamp: { field: 'end_timestamp', read: asTime },
  'action.ref': text('action_ref'),
  'action.pack': text('context.pack'),
  'action.name': { field: 'action_ref', read: endingWithName },
  'action.runner_type': text('runner_name'),
  'runner.name': text('runner_name'),
  'liveaction.id': text('liveaction_id'),
  'liveaction.action': text('action_ref'),
  'liveaction.action_is_workflow': { field: 'action_is_workflow', read: (given) => given.toLowerCase() === 'true' },
};

/** The same for everything below a path. Secrets are stored as masks here, so a filter cannot be used to guess them. */
const BELOW: Readonly<Record<string, keyof ExecutionRecord>> = {
  context: 'context',
  parameters: 'parameters',
  'liveaction.parameters': 'parameters',
  'liveaction.callback': 'callback',
  'liveaction.runner_info': 'runner_info',
  'liveaction.notify': 'notify',
  log: 'log',
  rule: 'rule',
  trigger: 'trigger',
  trigger_type: 'trigger_type',
  trigger_instance: 'trigger_instance',
};

/**
 * Parses `action.ref:core.local status:failed`: every pair has to match.
 * @throws Fault `execution.filter-format`, `execution.filter-field`
 */
export function rawFilter(given: string | undefined): Filter<ExecutionRecord> {
  const pairs = (given ?? '').split(' ').filter((part) => part !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const colon = pair.indexOf(':');
      if (colon < 1) throw fault('execution.filter-format', { filter: pair });
      const { field, read } = placeOf(pair.slice(0, colon));
      return [field, read(pair.slice(colon + 1))];
    }),
  );
}

function placeOf(path: string): Place {
  if (Object.hasOwn(PLACES, path)) return PLACES[path] as Place;
  const above = Object.keys(BELOW).find((start) => path.startsWith(`${start}.`));
  const inner = above === undefined ? [] : path.slice(above.length + 1).split('.');
  if (above === undefined || !inner.every((part) => /^[^$\0]/.test(part)))
    throw fault('execution.filter-field', { field: path });
  return anything([BELOW[above], ...inner].join('.') as Place['field']);
}

/** Names of packs have no dots. */
function endingWithName(name: string): unknown {
  return matchesPattern(`^[^.]+\\.${name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`);
}
