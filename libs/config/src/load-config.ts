import { homedir } from 'node:os';
import { checkConfiguration, findingsWithoutEffect } from './check-configuration';
import { compileSettings, type CompiledSettings } from './compile-settings';
import type { Config, ConfigOverrides } from './config';
import { throwProblem, type OnProblem } from './config-finding';
import { readConfigFile } from './read-file';
import { withSecretFiles } from './secret-files';
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
 * Names that are unknown or have no effect are warnings. The content of the file in `<option>_file` is the value of the option.
 * @throws config.invalid, config.conflict, config.syntax, config.unreadable-file
 */
export function loadConfig(sources: ConfigSources): LoadedConfig {
  const { config, findings } = compileSources(sources, throwProblem);
  return { config: deepFreeze(config), warnings: findings.map(({ message }) => message) };
}

/** Compiles the configuration and checks it, passing each error to `onProblem`. */
export function compileSources(
  { file, environment, overrides = {} }: ConfigSources,
  onProblem: OnProblem,
): CompiledSettings {
  const path = file ?? configPathOf(environment);
  const home = environment['HOME'] ?? homedir();
  const settings = [...(path === undefined ? [] : readConfigFile(path, onProblem)), ...readEnvironment(environment)];
  const all = [...withSecretFiles(settings, home, onProblem), ...overrideSettings(overrides)];
  const compiled = compileSettings(all, home, onProblem);
  checkConfiguration(compiled.config, onProblem);
  const withoutEffect = findingsWithoutEffect(compiled.config, compiled.originsOf);
  return { ...compiled, findings: [...compiled.findings, ...withoutEffect] };
}

function deepFreeze<T>(value: T): T {
  if (value !== null && typeof value === 'object' && !Object.isFrozen(value)) {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}
