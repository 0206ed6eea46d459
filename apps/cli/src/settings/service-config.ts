import { resolve } from 'node:path';
import { loadConfig, type Config } from '@switchyard/config';
import { environmentValue, type Terminal } from '../terminal';

/** The options of commands that work on the files of the services, on their machine. */
export interface ServiceFiles {
  configFile?: string;
  dataDir?: string;
}

/** The configuration of the services: here `--config-file` names the file of the services, not that of the command. */
export function serviceConfig({ configFile, dataDir }: ServiceFiles, { env }: Pick<Terminal, 'env'>): Config {
  const file = configFile ?? environmentValue(env, 'CONFIG_PATH');
  return loadConfig({
    environment: env,
    ...(file === undefined ? {} : { file: resolve(file) }),
    ...(dataDir === undefined ? {} : { overrides: { system: { base_path: resolve(dataDir) } } }),
  }).config;
}
