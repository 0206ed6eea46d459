import { homedir } from 'node:os';
import { fault } from '@switchyard/base';
import type { Config } from './config';
import { findOption, type FoundOption } from './find-option';
import { isLegacy, type Option } from './option';
import { optionSections } from './option-table';
import { parseValue } from './parse-value';
import type { Setting } from './settings';

export interface CompiledSettings {
  readonly config: Config;
  readonly warnings: readonly string[];
  /** Whether the option, or any option of the section, was set. */
  readonly isSet: (section: string, option?: string) => boolean;
}

/** Applies settings to the defaults of the option table; later settings win. @throws config.invalid */
export function compileSettings(settings: readonly Setting[], home = homedir()): CompiledSettings {
  const looked = settings.map((setting) => ({ setting, found: findOption(setting.section, setting.option) }));
  const values = defaults(home);
  for (const { setting, found } of byPrecedence(looked)) {
    if (found.kind === 'unknown' || found.kind === 'legacy') continue;
    values[found.section]![found.name] = compiledValue(setting, found, home);
  }
  const isSet = (section: string, option?: string) =>
    looked.some(({ found }) => 'section' in found && found.section === section && (!option || found.name === option));
  // All names come from the option table and all types from parseValue, which the compiler cannot infer in a loop.
  return { config: values as unknown as Config, warnings: warningsOf(looked), isSet };
}

interface Looked {
  readonly setting: Setting;
  readonly found: FoundOption;
}

type Values = Record<string, Record<string, unknown>>;

function defaults(home: string): Values {
  const sections = Object.entries(optionSections).map(([section, entries]): [string, Record<string, unknown>] => {
    const options = Object.entries(entries).flatMap(([name, entry]) =>
      isLegacy(entry) ? [] : [[name, expanded(entry.default, entry, home)]],
    );
    return [section, Object.fromEntries(options) as Record<string, unknown>];
  });
  return Object.fromEntries(sections.filter(([, options]) => Object.keys(options).length > 0));
}

/** Within one source, the proper name of an option wins over a deprecated one, whatever their order. */
function byPrecedence(looked: readonly Looked[]): Looked[] {
  const rank = { file: 0, environment: 2, 'command line': 4 };
  const rankOf = ({ setting, found }: Looked) => rank[setting.source] + (found.kind === 'alias' ? 0 : 1);
  return [...looked].sort((a, b) => rankOf(a) - rankOf(b));
}

function compiledValue({ value, origin }: Setting, { section, name, option }: KnownOption, home: string): unknown {
  const parsed = parseValue(value, option);
  if ('value' in parsed) return expanded(parsed.value, option, home);
  const actual = option.secret ? 'a value that is not shown' : JSON.stringify(value);
  throw fault('config.invalid', { section, option: name, expected: parsed.expected, actual, origin });
}

type KnownOption = Extract<FoundOption, { kind: 'option' | 'alias' }>;

const expanded = (value: unknown, option: Option<unknown>, home: string): unknown =>
  option.path && typeof value === 'string' ? value.replace(/^~(?=\/|$)/, home) : value;

function warningsOf(looked: readonly Looked[]): string[] {
  const legacy = new Map<string, Set<string>>();
  const lines = new Set<string>();
  for (const { setting, found } of looked) {
    const name = `${setting.section}.${setting.option}`;
    if (found.kind === 'unknown') lines.add(found.warning);
    if (found.kind === 'alias') lines.add(`Configuration: ${name} is deprecated, use ${found.section}.${found.name}.`);
    if (found.kind === 'legacy') legacy.set(found.reason, (legacy.get(found.reason) ?? new Set()).add(name));
  }
  for (const [reason, names] of legacy) {
    lines.add(`Configuration: ${[...names].join(', ')} ${names.size === 1 ? 'has' : 'have'} no effect: ${reason}.`);
  }
  return [...lines];
}
