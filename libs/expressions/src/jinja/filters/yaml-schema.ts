import type { ScalarTag, Tags } from 'yaml';

const BOOLEAN = /^(?:yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$/;

/** Booleans as PyYAML knows them: `yes` and `off` are some, `y` and `n` are not. */
const booleanTag: ScalarTag = {
  identify: (value) => typeof value === 'boolean',
  default: true,
  tag: 'tag:yaml.org,2002:bool',
  test: BOOLEAN,
  resolve: (text) => /^(?:y|t|on)/i.test(text),
  stringify: ({ value }) => (value === true ? 'true' : 'false'),
};

/** Dates stay texts; knowing them makes the writer quote a text that looks like one. */
const dateTag: ScalarTag = {
  default: true,
  tag: 'tag:yaml.org,2002:timestamp',
  test: /^\d{4}-\d\d?-\d\d?(?:(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?[ \t]*(?:Z|[-+]\d\d?(?::?\d\d)?)?)?$/,
  resolve: (text) => text,
};

/** Kinds of values that are no JSON data, and those replaced here. */
const FOREIGN = /:(?:timestamp|binary|omap|pairs|set|bool)$/;

function customTags(tags: Tags): Tags {
  const kept = tags.filter((tag) => typeof tag === 'string' || !FOREIGN.test(tag.tag));
  return [booleanTag, dateTag, ...kept];
}

/** YAML 1.1, in which existing content is written, limited to JSON data. */
export const YAML = { version: '1.1', customTags } as const;
