import type * as Yaml from 'yaml';
import type { ScalarTag, Tags } from 'yaml';
import { messageOf } from '@switchyard/base';
import { loadYaml } from '@switchyard/yaml';
import { NONE_TEXT } from '@switchyard/model';
import { filterOperation, type NamedOperations } from '../run/operation';
import { iterate, jinjaTruth } from '../values/sequence';
import { isJinjaDict, isJinjaList } from '../values/collections';
import { JinjaError } from '../values/jinja-error';
import { intArgument, plainFromJinja } from '../values/plain';
import { toText } from '../values/text';
import { defined } from '../values/undefined';
import { queryJsonPath } from './json-path';
import { indentOf, jsonQuote, jsonText } from './json-text';

const BOOLEAN = /^(?:yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$/;

/** Booleans as in PyYAML: `yes` and `off` are booleans, `y` and `n` are not. */
const booleanTag: ScalarTag = {
  identify: (value) => typeof value === 'boolean',
  default: true,
  tag: 'tag:yaml.org,2002:bool',
  test: BOOLEAN,
  resolve: (text) => /^(?:y|t|on)/i.test(text),
  stringify: ({ value }) => (value === true ? 'true' : 'false'),
};

/** Dates stay texts. The tag makes the writer quote texts that look like dates. */
const dateTag: ScalarTag = {
  default: true,
  tag: 'tag:yaml.org,2002:timestamp',
  test: /^\d{4}-\d\d?-\d\d?(?:(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?[ \t]*(?:Z|[-+]\d\d?(?::?\d\d)?)?)?$/,
  resolve: (text) => text,
};

/** Tags for values that are not JSON data, and those replaced here. */
const FOREIGN = /:(?:timestamp|binary|omap|pairs|set|bool)$/;

function customTags(tags: Tags): Tags {
  const kept = tags.filter((tag) => typeof tag === 'string' || !FOREIGN.test(tag.tag));
  return [booleanTag, dateTag, ...kept];
}

/** YAML 1.1, which existing content uses, limited to JSON data. */
const YAML = { version: '1.1', customTags } as const;

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
  to_yaml_string: filterOperation(['indent', 'allow_unicode'], (value, run, indent = null, unicode = true) =>
    toYaml(value, indent, jinjaTruth(unicode), (length) => run.budget.produce(length))),
  to_complex: filterOperation([], (value, run) => {
    const text = jsonText(value, COMPACT);
    run.budget.produce(text.length);
    return text;
  }),
  json_escape: filterOperation([], (value) => jsonQuote(toText(value)).slice(1, -1)),
  jsonpath_query: filterOperation(['query'], (value, run, query) => {
    const found = queryJsonPath(defined(value), toText(query), run);
    return found.length === 0 ? null : found;
  }, 1),
  use_none: filterOperation([], (value) => (defined(value) === null ? NONE_TEXT : value)),
}; // oxfmt-ignore

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new JinjaError('ValueError', `invalid JSON: ${messageOf(error)}`, { cause: error });
  }
}

function fromYaml(text: string): unknown {
  try {
    return loadYaml(text).value;
  } catch (error) {
    throw new JinjaError('ValueError', `invalid YAML: ${messageOf(error)}`, { cause: error });
  }
}

/** Loaded when a template first needs it. */
// eslint-disable-next-line @typescript-eslint/no-require-imports -- filters are not asynchronous
const yaml = (): typeof Yaml => require('yaml') as typeof Yaml;

function toYaml(value: unknown, indent: unknown, unicode: boolean, check: (length: number) => void): string {
  const text = yaml().stringify(plainFromJinja(value), {
    ...YAML,
    indent: indent === null ? 2 : Math.min(9, Math.max(2, intArgument(indent, 'indent'))),
    indentSeq: false,
    sortMapEntries: true,
    aliasDuplicateObjects: false,
    singleQuote: true,
    lineWidth: 80,
  });
  check(text.length);
  // PyYAML writes an end marker after a bare scalar.
  if (!isJinjaList(value) && !isJinjaDict(value) && !/^['"|>]/.test(text)) return `${text}...\n`;
  return unicode
    ? text
    : text.replace(/[\x80-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
