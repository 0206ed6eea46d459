import { messageOf } from '@switchyard/base';
import { printYaml } from '@switchyard/yaml';
import { NONE_TEXT } from '@switchyard/model';
import { filterOperation, type NamedOperations } from '../run/operation';
import { iterate, jinjaTruth } from '../values/sequence';
import { exactJson, exactYaml } from '../values/exact-data';
import { JinjaError } from '../values/jinja-error';
import { intArgument } from '../values/plain';
import { toText } from '../values/text';
import { defined } from '../values/undefined';
import { queryJsonPath } from './json-path';
import { indentOf, jsonQuote, jsonText } from './json-text';
import { yamlTree } from './yaml-tree';

const COMPACT = { indent: undefined, sortKeys: false, separators: [', ', ': '] } as const;

/** Filters that convert between data and JSON, YAML and other text forms. */
export const dataFilters: NamedOperations = {
  from_json_string: filterOperation([], (value) => fromJson(toText(value))),
  from_yaml_string: filterOperation([], (value, run) => {
    const text = toText(value);
    // Parsing YAML is slow, about a microsecond per character.
    run.budget.spend(text.length);
    return fromYaml(text);
  }),
  to_json_string: filterOperation(['indent', 'sort_keys', 'separators'], (value, run, indent = null, sort = false, separators = null) => {
    const [item = ',', key = ': '] = separators === null ? [] : iterate(separators).map(toText);
    const text = jsonText(defined(value), { indent: indentOf(indent), sortKeys: jinjaTruth(sort), separators: [item, key] });
    run.budget.produce(text.length);
    return text;
  }),
  to_yaml_string: filterOperation(['indent', 'allow_unicode'], (value, run, indent = null, unicode = true) => {
    const layout = { indent: indent === null ? 2 : intArgument(indent, 'indent'), unicode: jinjaTruth(unicode) };
    const text = printYaml(yamlTree(value), layout);
    run.budget.produce(text.length);
    return text;
  }),
  to_complex: filterOperation([], (value, run) => {
    const text = jsonText(value, COMPACT);
    run.budget.produce(text.length);
    return text;
  }),
  json_escape: filterOperation([], (value) =>
    typeof value === 'string' ? jsonQuote(value).slice(1, -1) : jsonText(defined(value), COMPACT)),
  jsonpath_query: filterOperation(['query'], (value, run, query) => {
    const found = queryJsonPath(defined(value), toText(query), run);
    return found.length === 0 ? null : found;
  }, 1),
  use_none: filterOperation([], (value) => (defined(value) === null ? NONE_TEXT : value)),
}; // oxfmt-ignore

function fromJson(text: string): unknown {
  try {
    return exactJson(text);
  } catch (error) {
    throw new JinjaError('ValueError', `invalid JSON: ${messageOf(error)}`, { cause: error });
  }
}

function fromYaml(text: string): unknown {
  try {
    return exactYaml(text);
  } catch (error) {
    throw new JinjaError('ValueError', `invalid YAML: ${messageOf(error)}`, { cause: error });
  }
}
