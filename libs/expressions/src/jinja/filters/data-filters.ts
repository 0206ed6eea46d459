import { parse, stringify } from 'yaml';
import { messageOf } from '@switchyard/base';
import { NONE_TEXT } from '@switchyard/model';
import { operation, type NamedOperations } from '../run/operation';
import { iterate } from '../values/sequence';
import { isDict, isList } from '../values/collections';
import { JinjaError } from '../values/jinja-error';
import { intArgument, toPlain } from '../values/plain';
import { toText } from '../values/text';
import { truth } from '../values/sequence';
import { defined } from '../values/undefined';
import { YAML } from './yaml-schema';
import { queryJsonPath } from './json-path';
import { indentOf, jsonQuote, jsonText } from './json-text';

const COMPACT = { indent: undefined, sortKeys: false, separators: [', ', ': '] } as const;

/** Filters between data and its written forms. */
export const dataFilters: NamedOperations = {
  from_json_string: operation([], (value) => fromJson(toText(value))),
  from_yaml_string: operation([], (value, run) => {
    const text = toText(value);
    // Reading YAML is slow: about a microsecond a character.
    run.budget.spend(text.length);
    return fromYaml(text);
  }),
  to_json_string: operation(['indent', 'sort_keys', 'separators'], (value, run, indent = null, sort = false, separators = null) => {
    const [item = ',', key = ': '] = separators === null ? [] : iterate(separators).map(toText);
    const text = jsonText(defined(value), { indent: indentOf(indent), sortKeys: truth(sort), separators: [item, key] });
    run.budget.produce(text.length);
    return text;
  }),
  to_yaml_string: operation(['indent', 'allow_unicode'], (value, run, indent = null, unicode = true) =>
    toYaml(value, indent, truth(unicode), (length) => run.budget.produce(length))),
  to_complex: operation([], (value, run) => {
    const text = jsonText(value, COMPACT);
    run.budget.produce(text.length);
    return text;
  }),
  json_escape: operation([], (value) => jsonQuote(toText(value)).slice(1, -1)),
  jsonpath_query: operation(['query'], (value, run, query) => {
    const found = queryJsonPath(defined(value), toText(query), run);
    return found.length === 0 ? null : found;
  }, 1),
  use_none: operation([], (value) => (defined(value) === null ? NONE_TEXT : value)),
}; // prettier-ignore

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new JinjaError('ValueError', `invalid JSON: ${messageOf(error)}`, { cause: error });
  }
}

function fromYaml(text: string): unknown {
  try {
    return parse(text, { ...YAML, maxAliasCount: 100, logLevel: 'error' }) as unknown;
  } catch (error) {
    throw new JinjaError('ValueError', `invalid YAML: ${messageOf(error)}`, { cause: error });
  }
}

function toYaml(value: unknown, indent: unknown, unicode: boolean, check: (length: number) => void): string {
  const text = stringify(toPlain(value), {
    ...YAML,
    indent: indent === null ? 2 : Math.min(9, Math.max(2, intArgument(indent, 'indent'))),
    indentSeq: false,
    sortMapEntries: true,
    aliasDuplicateObjects: false,
    singleQuote: true,
    lineWidth: 80,
  });
  check(text.length);
  // PyYAML ends a bare scalar's document.
  if (!isList(value) && !isDict(value) && !/^['"|>]/.test(text)) return `${text}...\n`;
  return unicode
    ? text
    : text.replace(/[\x80-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
