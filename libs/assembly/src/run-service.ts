import { loadConfig, type Config, type ConfigOverrides } from '@switchyard/config';
import {
  createProcessRecord,
  openPlatform,
  runServices,
  runUntilStopped,
  serversOf,
  type HostProcess,
  type Platform,
  type RunOutcome,
  type Service,
} from '@switchyard/host';
import { isUnreachable } from '@switchyard/storage';
import { createLogger, loggerOptions, type Logger } from '@switchyard/telemetry';
import { createAssembly, type Assembly, type ServiceGroup } from './assembly';
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
 * does not depend on other services having started. If the store goes away while they start, they start again.
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
  try {
    await runUntilStopped(() => runOnce(group, { config, logger, environment, process }), logger);
  } finally {
    await logger.close();
  }
}

interface OneRun extends Pick<ServiceOptions, 'environment' | 'process'> {
  readonly config: Config;
  readonly logger: Logger;
}

async function runOnce(group: ServiceGroup, { config, logger, environment, process }: OneRun): Promise<RunOutcome> {
  // An embedded store goes away only if its disk is full, and then somebody has to do something.
  const startsAgain = config.storage.driver === 'mongodb';
  let platform: Platform | undefined;
  let assembly: Assembly;
  let services: readonly Service[];
  try {
    platform = await openPlatform(config, logger, { process: `switchyard-${group.name}` });
    assembly = createAssembly(platform, environment);
    await group.prepare?.(assembly);
    services = await group.create(assembly);
  } catch (error) {
    await platform?.close(isUnreachable(error));
    if (!startsAgain || !isUnreachable(error)) throw error;
    return 'start again';
  }
  const { version } = assembly.about;
  return runServices([createProcessRecord(platform, { services, version }), ...services], {
    process,
    logger,
    startsAgain,
    servers: serversOf(platform),
    async started() {
      group.started?.(assembly);
      releaseYoungGeneration();
    },
    release: platform.close,
  });
}
