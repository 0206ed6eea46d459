import { stringify } from 'yaml';
import { pythonScalars } from '../yaml/python-scalars';

/** A number without a dot before its exponent is a text for PyYAML. */
const exponent = {
  tag: 'tag:yaml.org,2002:float',
  identify: (value: unknown) => typeof value === 'number' && /^-?\d+e/.test(String(value)),
  resolve: (text: string) => Number(text),
  stringify: ({ value }: { value?: unknown }) => String(value).replace('e', '.0e'),
};

/** Values as a YAML document that reads back as exactly these, with PyYAML too. */
export const configYaml = (values: Record<string, unknown>): string =>
  stringify(values, {
    version: '1.1',
    lineWidth: 0,
    aliasDuplicateObjects: false,
    // What reads as something else than a text is put into quotes.
    customTags: (tags) => [exponent, ...tags, ...pythonScalars],
  });
