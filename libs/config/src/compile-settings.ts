import { homedir } from 'node:os';
import { fault } from '@switchyard/base';
import type { Config } from './config';
import { throwProblem, type ConfigFinding, type OnProblem } from './config-finding';
import { findOption, type FoundOption } from './find-option';
import { isLegacy, type Option } from './option';
import { optionSections } from './option-table';
import { parseValue } from './parse-value';
import type { Setting } from './settings';

export interface CompiledSettings {
  readonly config: Config;
  /** Names that are unknown, deprecated, or have no effect. */
  readonly findings: readonly ConfigFinding[];
  /** The setting that each option has its value from, by `section.option`. Options with their default are missing. */
  readonly applied: ReadonlyMap<string, Setting>;
  /** Where the option, or any option of the section, was set. */
  readonly originsOf: (section: string, option?: string) => readonly string[];
}

/**
 * Applies settings to the defaults of the option table; later settings win. An invalid value is a problem, and leaves the
 * option as it was. @throws config.invalid, unless `onProblem` handles it
 */
export function compileSettings(
  settings: readonly Setting[],
  home = homedir(),
  onProblem: OnProblem = throwProblem,
): CompiledSettings {
  const looked = settings.map((setting) => ({ setting, found: findOption(setting.section, setting.option) }));
  const values = defaults(home);
  const applied = new Map<string, Setting>();
  for (const { setting, found } of byPrecedence(looked)) {
    if (found.kind === 'unknown' || found.kind === 'legacy') continue;
    const compiled = compiledValue(setting, found, home);
    if ('problem' in compiled) {
      onProblem(compiled.problem);
      continue;
    }
    values[found.section]![found.name] = compiled.value;
    applied.set(`${found.section}.${found.name}`, setting);
  }
  const originsOf = (section: string, option?: string) =>
    looked.flatMap(({ setting, found }) =>
      'section' in found && found.section === section && (!option || found.name === option) ? [setting.origin] : [],
    );
  // All names come from the option table and all types from parseValue, which the compiler cannot infer in a loop.
  return { config: values as unknown as Config, findings: findingsAbout(looked), applied, originsOf };
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

function compiledValue(
  { value, origin, secretFile }: Setting,
  { section, name, option }: KnownOption,
  home: string,
): { readonly value: unknown } | { readonly problem: unknown } {
  const parsed = parseValue(value, option);
  if ('value' in parsed) return { value: expanded(parsed.value, option, home) };
  const actual = option.secret || secretFile !== undefined ? 'a value that is not shown' : JSON.stringify(value);
  return { problem: fault('config.invalid', { section, option: name, expected: parsed.expected, actual, origin }) };
}

type KnownOption = Extract<FoundOption, { kind: 'option' | 'alias' }>;

const expanded = (value: unknown, option: Option<unknown>, home: string): unknown =>
  option.path && typeof value === 'string' ? value.replace(/^~(?=\/|$)/, home) : value;

/** One finding for each unknown or deprecated name, and one for each reason why names have no effect. */
function findingsAbout(looked: readonly Looked[]): ConfigFinding[] {
  const groups = new Map<string, { kind: ConfigFinding['kind']; names: Set<string>; origins: string[] }>();
  for (const { setting, found } of looked) {
    if (found.kind === 'option') continue;
    const { kind, subject } = subjectOf(found, `${setting.section}.${setting.option}`);
    const group = groups.get(subject) ?? { kind, names: new Set(), origins: [] };
    groups.set(subject, group);
    group.names.add(`${setting.section}.${setting.option}`);
    group.origins.push(setting.origin);
  }
  const all = [...groups].map(([subject, { kind, names, origins }]) => {
    if (kind !== 'no-effect') return { kind, message: subject, origins };
    const message = `Configuration: ${[...names].join(', ')} ${names.size === 1 ? 'has' : 'have'} no effect: ${subject}.`;
    return { kind, message, origins };
  });
  return [...all.filter(({ kind }) => kind !== 'no-effect'), ...all.filter(({ kind }) => kind === 'no-effect')];
}

/** What findings are grouped by: their message, or the reason why a name has no effect. */
function subjectOf(found: Exclude<FoundOption, { kind: 'option' }>, name: string) {
  if (found.kind === 'unknown') return { kind: 'unknown', subject: found.warning } as const;
  if (found.kind === 'legacy') return { kind: 'no-effect', subject: found.reason } as const;
  const subject = `Configuration: ${name} is deprecated, use ${found.section}.${found.name}.`;
  return { kind: 'deprecated', subject } as const;
}
