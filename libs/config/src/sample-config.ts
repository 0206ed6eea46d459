import { isPlainObject } from '@switchyard/base';
import { isLegacy, type Option } from './option';
import { optionSections } from './option-table';

/** The commented sample file: every option with its description and default. `deploy/svc.conf.sample` is its copy. */
export function sampleConfig(): string {
  const sections = Object.entries(optionSections).map(([section, entries]) => {
    const options = Object.entries(entries).flatMap(([name, entry]) =>
      isLegacy(entry) ? [] : [optionText(name, entry)],
    );
    return options.length === 0 ? '' : [`[${section}]`, ...options].join('\n');
  });
  return `${[head, ...sections.filter((text) => text !== '')].join('\n\n')}\n`;
}

const head = [
  '# Sample configuration, generated from the option table (libs/config); it shows the defaults.',
  '# Name the file in SVC_CONFIG_PATH. Any option may come from the environment as SVC_<SECTION>__<OPTION> instead.',
  '# A comment needs a line of its own.',
].join('\n');

function optionText(name: string, option: Option<unknown>): string {
  const value = valueText(option.default);
  return [`# ${option.description}${limitsText(option)}`, `# ${name} =${value && ` ${value}`}`].join('\n');
}

function limitsText({ type, minimum, maximum, choices }: Option<unknown>): string {
  const limits = [
    ...(choices ? [`one of ${choices.join(', ')}`] : [typeNames[type]]),
    ...(minimum === undefined ? [] : [`at least ${minimum}`]),
    ...(maximum === undefined ? [] : [`at most ${maximum}`]),
  ];
  return ` (${limits.join(', ')})`;
}

const typeNames: Readonly<Record<Option<unknown>['type'], string>> = {
  bool: 'true or false',
  int: 'integer',
  float: 'number',
  str: 'text',
  list: 'comma separated list',
  dict: 'name:value,name:value',
  json: 'JSON object',
};

function valueText(value: unknown): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.join(',');
  if (!isPlainObject(value)) return JSON.stringify(value);
  return Object.entries(value)
    .map((pair) => pair.join(':'))
    .join(',');
}
