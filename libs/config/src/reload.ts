import { isDeepStrictEqual } from 'node:util';
import type { Config } from './config';
import { isLegacy } from './option';
import { optionSections } from './option-table';

export interface ReloadedConfig {
  /** The running configuration with the new values of those options that a running process can change. */
  readonly config: Config;
  /** Names of options that have changed: `log.level`. */
  readonly applied: readonly string[];
  /** Names of options that have changed, and keep their running value until a restart. */
  readonly restartNeeded: readonly string[];
}

/** Compares a newly loaded configuration with the running one, and takes over what can change in a running process. */
export function reloadedConfig(running: Config, loaded: Config): ReloadedConfig {
  const from = running as unknown as Sections;
  const to = loaded as unknown as Sections;
  const applied: string[] = [];
  const restartNeeded: string[] = [];
  const config: Record<string, Readonly<Record<string, unknown>>> = { ...from };
  for (const [section, entries] of Object.entries(optionSections)) {
    for (const [name, entry] of Object.entries(entries)) {
      const value = to[section]?.[name];
      if (isLegacy(entry) || isDeepStrictEqual(from[section]?.[name], value)) continue;
      (entry.reloadable ? applied : restartNeeded).push(`${section}.${name}`);
      if (entry.reloadable) config[section] = { ...config[section], [name]: value };
    }
  }
  // The sections and options are those of the two configurations.
  return { config: config as unknown as Config, applied, restartNeeded };
}

type Sections = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
