import type { HostFunction } from '../evaluate/scope';
import { dataFilters } from '../jinja/filters/data-filters';
import { pathFilters } from '../jinja/filters/path-filters';
import { regexFilters } from '../jinja/filters/regex-filters';
import { versionFilters } from '../jinja/filters/version-filters';
import { OperationFunction } from '../jinja/run/operation-function';
import type { NamedOperation, NamedOperations } from '../jinja/run/operation';
import { parseJson } from './parse-json';
import { zip } from './zip';

/** Filters that workflows do not have. */
const PARAMETERS_ONLY: ReadonlySet<string> = new Set(['to_complex']);

/** What a function is applied to, where the interface has another name for it than `value`. */
const SUBJECTS: Readonly<Record<string, string>> = {
  basename: 'path',
  dirname: 'path',
  to_human_time_from_seconds: 'seconds',
};

/** Older names. */
const ALIASES: Readonly<Record<string, string>> = {
  json_parse: 'from_json_string',
  json_dump: 'to_json_string',
  yaml_parse: 'from_yaml_string',
  yaml_dump: 'to_yaml_string',
};

const shared: NamedOperations = { ...dataFilters, ...regexFilters, ...pathFilters, ...versionFilters };

/** The functions of workflow expressions that know nothing of the workflow, by their names in both languages. */
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
