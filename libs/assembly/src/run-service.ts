import { loadConfig, type ConfigOverrides } from '@switchyard/config';
import { createKeyHolder, openPlatform, runServices, type HostProcess } from '@switchyard/host';
import { createLogger, loggerOptions } from '@switchyard/telemetry';
import { createAssembly, type ServiceEntry } from './assembly';

export interface ServiceOptions {
  configFile?: string;
  overrides?: ConfigOverrides;
  environment: NodeJS.ProcessEnv;
  process: HostProcess;
}

/**
 * Runs one service in this process: what a container does. It waits for the store and the bus, and needs no other
 * service to have started before it.
 * @throws Fault when the configuration cannot be used, or the store or the bus cannot be reached
 */
export async function runService(
  entry: ServiceEntry,
  { configFile, overrides, environment, process }: ServiceOptions,
): Promise<void> {
  const loaded = loadConfig({
    environment,
    ...(configFile === undefined ? {} : { file: configFile }),
    ...(overrides ? { overrides } : {}),
  });
  const logger = createLogger(loggerOptions(loaded.config, entry.name));
  for (const warning of loaded.warnings) logger.warn(warning);
  const config = (await entry.configure?.(loaded.config, logger)) ?? loaded.config;
  const platform = await openPlatform(config, logger);
  const assembly = createAssembly(platform, environment);
  await entry.prepare?.(assembly);
  await runServices([createKeyHolder(platform), entry.create(assembly)], {
    process,
    logger,
    started: async () => entry.started?.(assembly),
    release: async () => {
      await platform.close();
      await logger.close();
    },
  });
}
