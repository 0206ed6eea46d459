import { type NamedOperation, filterOperation, type NamedOperations } from '../jinja/run/operation';
import { ITEM_SIZE } from '../jinja/run/budget';
import { tuple, isJinjaDict } from '../jinja/values/collections';
import { JinjaError } from '../jinja/values/jinja-error';
import { iterate } from '../jinja/values/sequence';
import { defined } from '../jinja/values/undefined';
import { dataFilters } from '../jinja/filters/data-filters';
import type { HostFunction } from '../evaluate/scope';
import { pathFilters } from '../jinja/filters/path-filters';
import { regexFilters } from '../jinja/filters/regex-filters';
import { versionFilters } from '../jinja/filters/version-filters';
import { OperationFunction } from '../jinja/run/host-functions';

/**
 * `zip(list, …, pad=null)` groups the first items, then the second ones, up to the end of the longest list. Null counts
 * as an empty list; a single list is returned as is.
 */
const zip: NamedOperation = Object.assign(zipped, { parameters: ['pad'], required: 0 });

function zipped(...[run, subject, others, named]: Parameters<NamedOperation>): unknown {
  const { pad = null, ...unknown } = named;
  const [extra] = Object.keys(unknown);
  if (extra !== undefined) throw new JinjaError('TypeError', `zip() got an unexpected keyword argument '${extra}'`);
  const values = subject === undefined ? [] : [subject, ...others];
  if (values.length === 1) return defined(subject) ?? [];
  const lists = values.map((value) => (defined(value) === null ? [] : iterate(value)));
  const length = lists.reduce((most, list) => Math.max(most, list.length), 0);
  run.budget.produce(length * lists.length * ITEM_SIZE);
  return Array.from({ length }, (_, index) => tuple(lists.map((list) => (index < list.length ? list[index] : pad))));
}

/** `json(text)` parses a JSON text; a map is returned as is. */
const parseJson = filterOperation([], (text, run) => {
  if (isJinjaDict(defined(text))) return text;
  if (typeof text !== 'string') throw new JinjaError('TypeError', 'Given object is not typeof string.');
  return dataFilters['from_json_string']?.(run, text, [], {});
});

/** Filters not available in workflows. */
const PARAMETERS_ONLY: ReadonlySet<string> = new Set(['to_complex']);

/** The name of the first parameter, if it is not `value`. */
const SUBJECTS: Readonly<Record<string, string>> = {
  basename: 'path',
  dirname: 'path',
  to_human_time_from_seconds: 'seconds',
};

/** Former names that remain valid. */
const ALIASES: Readonly<Record<string, string>> = {
  json_parse: 'from_json_string',
  json_dump: 'to_json_string',
  yaml_parse: 'from_yaml_string',
  yaml_dump: 'to_yaml_string',
};

const shared: NamedOperations = { ...dataFilters, ...regexFilters, ...pathFilters, ...versionFilters };

/** Functions of workflow expressions that do not depend on the workflow, by their name in both languages. */
export const PURE_FUNCTIONS: ReadonlyMap<string, HostFunction> = new Map(functions());

function* functions(): Iterable<[string, HostFunction]> {
  for (const [name, operation] of Object.entries(shared)) {
    if (!PARAMETERS_ONLY.has(name)) yield [name, functionOf(name, operation)];
  }
  for (const [alias, name] of Object.entries(ALIASES)) {
    const operation = shared[name];
    if (operation !== undefined) yield [alias, functionOf(name, operation)];
  }
  yield ['json', new OperationFunction(parseJson, 's')];
  yield ['zip', new OperationFunction(zip, 'lists', true)];
}

function functionOf(name: string, operation: NamedOperation): HostFunction {
  return new OperationFunction(operation, SUBJECTS[name] ?? 'value');
}
