import { loadConfig, paths, type Config, type ConfigOverrides } from '@switchyard/config';
import { openPlatform, runServices, type HostProcess } from '@switchyard/host';
import { createLogger, loggerOptions, type Logger } from '@switchyard/telemetry';
import { aboutProduct } from './about';
import { openAccount, refuseOpenDoor, withAccounts } from './default-account';
import { registerPacks, registerRunners } from './register-shipped';
import { createParts, serviceFactories, type ServiceName } from './service-factories';

export interface ServiceOptions {
  name: ServiceName;
  configFile?: string;
  overrides?: ConfigOverrides;
  environment: NodeJS.ProcessEnv;
  process: HostProcess;
}

/**
 * Runs one service in this process: what a container does. It waits for the store and the bus, and needs no other service
 * to have started before it.
 * @throws Fault when the configuration cannot be used, or the store or the bus stays away
 */
export async function runService({ name, configFile, overrides, environment, process }: ServiceOptions): Promise<void> {
  const loaded = loadConfig({
    environment,
    ...(configFile === undefined ? {} : { file: configFile }),
    ...(overrides ? { overrides } : {}),
  });
  const logger = createLogger(loggerOptions(loaded.config, name));
  for (const warning of loaded.warnings) logger.warn(warning);
  const config = name === 'auth' ? await guardedAccounts(loaded.config, logger) : loaded.config;
  const platform = await openPlatform(config, logger);
  const parts = createParts(platform, aboutProduct(), environment);
  // The API is where packs are asked for; the others need the runners alone.
  await (name === 'api' ? registerPacks(parts) : registerRunners(parts));
  await runServices([serviceFactories[name](parts)], {
    process,
    logger,
    release: async () => {
      await platform.close();
      await logger.close();
    },
  });
}

async function guardedAccounts(given: Config, logger: Logger): Promise<Config> {
  const config = await withAccounts(given, paths(given));
  refuseOpenDoor([config.auth], config, await openAccount(config, logger));
  return config;
}
