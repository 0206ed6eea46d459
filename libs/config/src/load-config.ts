import { checkCombinations } from './check-combinations';
import { compileSettings } from './compile-settings';
import type { Config, ConfigOverrides } from './config';
import { deepFreeze } from './deep-freeze';
import { configPathOf, readEnvironment, type Environment } from './read-environment';
import { readConfigFile } from './read-file';
import { ignoredFeatures, refuseMissingFeatures } from './missing-features';
import type { Setting } from './setting';

export interface ConfigSources {
  /** Path of the file; without it the environment's `SVC_CONFIG_PATH` or `ST2_CONFIG_PATH`, else no file is read. */
  readonly file?: string | undefined;
  readonly environment: Environment;
  /** From the command line or an embedding program; they win over everything. */
  readonly overrides?: ConfigOverrides;
}

export interface LoadedConfig {
  readonly config: Config;
  /** One line each, free of secret values, to be logged once at start. */
  readonly warnings: readonly string[];
}

/**
 * Compiles the configuration: overrides win over the environment, which wins over the file, which wins over defaults.
 * Unknown and meaningless names are warnings.
 * @throws config.invalid, config.conflict, config.syntax, config.unreadable-file
 */
export function loadConfig({ file, environment, overrides = {} }: ConfigSources): LoadedConfig {
  const path = file ?? configPathOf(environment);
  const settings = [
    ...(path === undefined ? [] : readConfigFile(path)),
    ...readEnvironment(environment),
    ...readOverrides(overrides),
  ];
  const { config, warnings, isSet } = compileSettings(settings, environment['HOME']);
  refuseMissingFeatures(config);
  checkCombinations(config);
  return {
    config: deepFreeze(config),
    warnings: [...warnings, ...ignoredFeatures(config), ...withoutEffect(config, isSet)],
  };
}

function readOverrides(overrides: ConfigOverrides): Setting[] {
  return Object.entries(overrides).flatMap(([section, options]) =>
    Object.entries<unknown>(options).flatMap(([option, value]) =>
      value === undefined
        ? []
        : [{ section, option, value: structuredClone(value), source: 'command line', origin: 'command line' }],
    ),
  );
}

/** A file written for a cluster must not end in the embedded store without a word. */
function withoutEffect(
  { storage, messaging, database }: Config,
  isSet: (section: string, option?: string) => boolean,
): string[] {
  const unused = [
    ...(storage.driver === 'embedded' && isSet('database')
      ? ['[database] has no effect: storage.driver is embedded']
      : []),
    ...(messaging.driver === 'embedded' && (isSet('messaging', 'url') || isSet('messaging', 'cluster_urls'))
      ? ['the address of RabbitMQ has no effect: messaging.driver is embedded']
      : []),
    ...(database.zlib_compression_level !== null && database.compressors !== 'zlib'
      ? ['database.zlib_compression_level has no effect: database.compressors is not zlib']
      : []),
  ];
  return unused.map((text) => `Configuration: ${text}.`);
}
