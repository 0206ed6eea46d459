import { loadConfig, type ConfigOverrides } from '@switchyard/config';
import { createProcessRecord, openPlatform, runServices, serversOf, type HostProcess } from '@switchyard/host';
import { createLogger, loggerOptions } from '@switchyard/telemetry';
import { createAssembly, type ServiceGroup } from './assembly';
import { reloadOnSignals } from './reload';
import { releaseYoungGeneration } from './young-generation';

export interface ServiceOptions {
  configFile?: string;
  overrides?: ConfigOverrides;
  environment: NodeJS.ProcessEnv;
  process: HostProcess;
}

/**
 * Runs a service, or a group of services, in this process, as a container does. Waits for the store and the bus, but
 * does not depend on other services having started.
 * @throws Fault when the configuration cannot be used, or the store or the bus cannot be reached
 */
export async function runService(
  group: ServiceGroup,
  { configFile, overrides, environment, process }: ServiceOptions,
): Promise<void> {
  const sources = {
    environment,
    ...(configFile === undefined ? {} : { file: configFile }),
    ...(overrides ? { overrides } : {}),
  };
  const loaded = loadConfig(sources);
  const logger = createLogger(loggerOptions(loaded.config, group.name));
  reloadOnSignals({ process, logger, service: group.name, sources, loaded: loaded.config, config: loaded.config });
  for (const warning of loaded.warnings) logger.warn(warning);
  const config = (await group.configure?.(loaded.config, logger)) ?? loaded.config;
  const platform = await openPlatform(config, logger, { process: `switchyard-${group.name}` });
  const assembly = createAssembly(platform, environment);
  await group.prepare?.(assembly);
  const services = await group.create(assembly);
  const { version } = assembly.about;
  await runServices([createProcessRecord(platform, { services, version }), ...services], {
    process,
    logger,
    servers: serversOf(platform),
    async started() {
      group.started?.(assembly);
      releaseYoungGeneration();
    },
    release: async (isSilent) => {
      await platform.close(isSilent);
      await logger.close();
    },
  });
}
