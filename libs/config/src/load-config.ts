import { checkConfiguration, warningsAbout } from './check-configuration';
import { compileSettings } from './compile-settings';
import type { Config, ConfigOverrides } from './config';
import { readConfigFile } from './read-file';
import { configPathOf, readEnvironment, overrideSettings, type Environment } from './settings';

export interface ConfigSources {
  /** Path of the file. If unset, `SVC_CONFIG_PATH` or `ST2_CONFIG_PATH` names it; without them no file is read. */
  readonly file?: string | undefined;
  readonly environment: Environment;
  /** From the command line or an embedding program. They win over all other sources. */
  readonly overrides?: ConfigOverrides;
}

export interface LoadedConfig {
  readonly config: Config;
  /** One line each, without secret values, to be logged once at startup. */
  readonly warnings: readonly string[];
}

/**
 * Compiles the configuration: overrides win over the environment, the environment over the file, the file over defaults.
 * Names that are unknown or have no effect are warnings.
 * @throws config.invalid, config.conflict, config.syntax, config.unreadable-file
 */
export function loadConfig({ file, environment, overrides = {} }: ConfigSources): LoadedConfig {
  const path = file ?? configPathOf(environment);
  const settings = [
    ...(path === undefined ? [] : readConfigFile(path)),
    ...readEnvironment(environment),
    ...overrideSettings(overrides),
  ];
  const { config, warnings, isSet } = compileSettings(settings, environment['HOME']);
  checkConfiguration(config);
  return { config: deepFreeze(config), warnings: [...warnings, ...warningsAbout(config, isSet)] };
}

function deepFreeze<T>(value: T): T {
  if (value !== null && typeof value === 'object' && !Object.isFrozen(value)) {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}
