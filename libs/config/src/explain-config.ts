import { isDeepStrictEqual } from 'node:util';
import { isFault, isPlainObject, messageOf } from '@switchyard/base';
import { MASK, maskAddresses } from '@switchyard/model';
import { findUnreadableFiles } from './check-files';
import { compileSettings } from './compile-settings';
import type { Config } from './config';
import type { ConfigFinding } from './config-finding';
import { findOption } from './find-option';
import { compileSources, type ConfigSources } from './load-config';
import { loggingFileWarnings } from './logging-file';
import { isLegacy, type Option } from './option';
import { optionSections } from './option-table';
import type { Setting } from './settings';

/** An option with its value and where it comes from. */
export interface ExplainedOption {
  readonly section: string;
  /** `api.port` */
  readonly option: string;
  /** Secrets are masked, and so is everything from secret files. */
  readonly value: unknown;
  readonly source: 'default' | 'secret file' | Setting['source'];
  /** `svc.conf line 3`, or the variable. Null for defaults. */
  readonly origin: string | null;
  readonly isDefault: boolean;
}

export interface ExplainedConfig {
  /** Invalid options have their defaults. */
  readonly config: Config;
  readonly options: readonly ExplainedOption[];
  /** Everything that needs attention, the errors first. */
  readonly findings: readonly ConfigFinding[];
}

/** Compiles the configuration as `loadConfig` does, but goes on after an error, and says where each value comes from. */
export function explainConfig(sources: ConfigSources): ExplainedConfig {
  const problems: ConfigFinding[] = [];
  const onProblem = (problem: unknown): void => {
    problems.push({ kind: kindOf(problem), message: messageOf(problem), origins: [] });
  };
  const { config, findings, applied } = compileSources(sources, onProblem);
  const usual = compileSettings([], sources.environment['HOME']).config;
  const options = allOptions().map(([section, name, option]): ExplainedOption => {
    const setting = applied.get(`${section}.${name}`);
    const value = valueOf(config, section, name);
    return {
      section,
      option: `${section}.${name}`,
      value: setting ? shownValue(value, option, setting) : value,
      source: setting?.secretFile === undefined ? (setting?.source ?? 'default') : 'secret file',
      origin: setting?.origin ?? null,
      isDefault: isDeepStrictEqual(value, valueOf(usual, section, name)),
    };
  });
  const files = findUnreadableFiles(config, applied);
  const logging = loggingFileWarnings(config, onProblem);
  const unused = logging.map((message): ConfigFinding => ({ kind: 'no-effect', message, origins: [] }));
  return { config, options, findings: [...problems, ...files, ...findings, ...unused] };
}

/** Why no option or section has this name; undefined if one has. */
export function explainUnknownName(section: string, option?: string): string | undefined {
  if (option === undefined) {
    if (Object.keys(optionSections).some((name) => name.toLowerCase() === section.toLowerCase())) return undefined;
    const found = findOption(section, '');
    return found.kind === 'unknown' ? `There is no ${found.what}.${found.hint}` : undefined;
  }
  const found = findOption(section, option);
  if (found.kind === 'unknown') return `There is no ${found.what}.${found.hint}`;
  if (found.kind === 'legacy') return `${section}.${option} has no effect: ${found.reason}.`;
  if (found.kind === 'alias') return `${section}.${option} is deprecated, use ${found.section}.${found.name}.`;
  return undefined;
}

const kindOf = (problem: unknown): ConfigFinding['kind'] =>
  isFault(problem) && problem.code === 'config.unreadable-file' ? 'unreadable' : 'invalid';

const allOptions = (): [section: string, name: string, option: Option<unknown>][] =>
  Object.entries(optionSections).flatMap(([section, entries]) =>
    Object.entries(entries).flatMap(([name, entry]): [string, string, Option<unknown>][] =>
      isLegacy(entry) ? [] : [[section, name, entry]],
    ),
  );

const valueOf = (config: object, section: string, name: string): unknown =>
  (config as Readonly<Record<string, Readonly<Record<string, unknown>>>>)[section]?.[name];

/** Masks secret options, and credentials in addresses wherever they are. */
function shownValue(value: unknown, { secret }: Option<unknown>, { secretFile }: Setting): unknown {
  if (value === null) return value;
  if (secret || secretFile !== undefined) return MASK;
  if (typeof value === 'string') return maskAddresses(value);
  if (Array.isArray(value)) return value.map((item: string) => maskAddresses(item));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, maskAddresses(String(item))]));
}
