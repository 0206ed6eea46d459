import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isatty } from 'node:tty';
import { isConsoleBuilt } from '@switchyard/api';
import { createAssembly } from '@switchyard/assembly';
import { openAccount, refuseOpenDoor, withAccounts } from '@switchyard/assembly/accounts';
import { identitiesOf } from '@switchyard/assembly/identities';
import { startRegistrationOf } from '@switchyard/assembly/register-packs';
import { reloadOnSignals } from '@switchyard/assembly/reload';
import { preparedRoles } from '@switchyard/assembly/roles';
import { sharedPythonOf } from '@switchyard/assembly/shared-python';
import { listenersOf } from '@switchyard/assembly/triggers';
import { releaseYoungGeneration } from '@switchyard/assembly/young-generation';
import { loadConfig, paths, type Config, type ConfigOverrides } from '@switchyard/config';
import { createProcessRecord, openPlatform, runServices, serversOf, type HostProcess } from '@switchyard/host';
import { SELF_CHECK_USER } from '@switchyard/identity';
import { createLogger, loggerOptions } from '@switchyard/telemetry';
import { composeServices } from './compose';
import { serviceNames } from './entries';
import { selfCheck } from './self-check';
import { welcome } from './welcome';

/** The name of the process in its log. */
const LOG_NAME = 'switchyard';

export interface AllInOneOptions {
  configFile?: string;
  overrides?: ConfigOverrides;
  environment: NodeJS.ProcessEnv;
  process: HostProcess & Record<'stdout' | 'stderr', { write(text: string): unknown }>;
}

/**
 * Starts every service in this process on the configured drivers, runs the self-check, prints the next steps, and runs
 * until a signal stops it.
 * @throws Fault when the configuration, the store or a listener cannot be used
 */
export async function runAllInOne({ configFile, overrides, environment, process }: AllInOneOptions): Promise<void> {
  const started = performance.now();
  const sources = {
    environment,
    ...(configFile === undefined ? {} : { file: configFile }),
    ...(overrides ? { overrides } : {}),
  };
  const loaded = loadConfig(sources);
  for (const warning of loaded.warnings) process.stderr.write(`Warning: ${warning}\n`);
  const config = withConsole(await withAccounts(await withLogFile(loaded.config), paths(loaded.config)));
  const logger = createLogger(loggerOptions(config, LOG_NAME));
  const hasTerminal = isatty(0);
  reloadOnSignals({ process, logger, service: LOG_NAME, sources, loaded: loaded.config, config, hasTerminal });
  const account = await openAccount(config, logger);
  refuseOpenDoor([config.api, config.auth, config.stream], config, account);
  const platform = await openPlatform(config, logger);
  const assembly = createAssembly(platform, environment);
  await preparedRoles(assembly);
  const { services, api } = await composeServices(assembly, serviceNames);
  sharedPythonOf(assembly)?.onFailure((line) => process.stderr.write(`Warning: ${line}\n`));
  const packs = await startRegistrationOf(assembly).registerChanged();
  await listenersOf(assembly).prepare();
  const { version } = assembly.about;
  await runServices([createProcessRecord(platform, { services, version }), ...services], {
    process,
    logger,
    servers: serversOf(platform),
    started: async () => {
      const apiUrl = localUrl(api?.address() ?? config.api);
      const user = config.rbac.enable ? SELF_CHECK_USER : config.system_user.user;
      await selfCheck({ apiUrl, tokens: identitiesOf(assembly).tokens, user });
      const seconds = (performance.now() - started) / 1000;
      process.stdout.write(
        welcome({
          config,
          apiUrl,
          hasConsole: isConsoleBuilt(),
          account,
          seconds,
          packs,
          directory: platform.paths.base,
        }),
      );
      startRegistrationOf(assembly).checkUnchanged();
      releaseYoungGeneration();
    },
    release: async (isSilent) => {
      await platform.close(isSilent);
      await logger.close();
    },
  });
}

/** Links lead to the console of this process, unless the configuration names another address. */
function withConsole(config: Config): Config {
  const { api, auth, webui } = config;
  const isElsewhere = webui.webui_base_url !== null || auth.api_url !== null || api.port === 0;
  if (isElsewhere || !isConsoleBuilt()) return config;
  return { ...config, webui: { ...webui, webui_base_url: localUrl(api) } };
}

/**
 * The terminal is for the user, so log lines go to a file unless the configuration names another destination.
 */
async function withLogFile(config: Config): Promise<Config> {
  const { logs } = paths(config);
  if (config.log.file !== null) return config;
  await mkdir(logs, { recursive: true, mode: 0o700 });
  return { ...config, log: { ...config.log, file: join(logs, 'switchyard.log') } };
}

/** The address at which this machine reaches a listener. */
const localUrl = ({ host, port }: { host: string; port: number }): string =>
  `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`;
