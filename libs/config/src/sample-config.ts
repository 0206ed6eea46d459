import { isPlainObject } from '@switchyard/base';
import { isLegacy, type Option } from './option';
import { optionSections } from './option-table';

/** The text of `deploy/svc.conf.sample`: every option with its description and default, commented out. */
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
  '# Sample configuration with all defaults, generated from the option table (libs/config).',
  '# Set SVC_CONFIG_PATH to the path of your file. An environment variable SVC_<SECTION>__<OPTION> sets an option, too.',
  '# <option>_file, and SVC_<SECTION>__<OPTION>_FILE, name a file that contains the value, such as a mounted secret.',
  '# A comment needs its own line.',
].join('\n');

function optionText(name: string, option: Option<unknown>): string {
  const value = valueText(option.default);
  return [`# ${option.description}${limitsText(option)}`, `# ${name} =${value && ` ${value}`}`].join('\n');
}

function limitsText({ type, minimum, maximum, choices, reloadable }: Option<unknown>): string {
  const limits = [
    ...(choices ? [`one of ${choices.join(', ')}`] : [typeNames[type]]),
    ...(minimum === undefined ? [] : [`at least ${minimum}`]),
    ...(maximum === undefined ? [] : [`at most ${maximum}`]),
    ...(reloadable ? ['applied on SIGHUP'] : []),
  ];
  return ` (${limits.join(', ')})`;
}

const typeNames: Readonly<Record<Option<unknown>['type'], string>> = {
  bool: 'true or false',
  int: 'integer',
  float: 'number',
  str: 'string',
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
