import { loadConfig, reloadedConfig, type Config, type ConfigSources } from '@switchyard/config';
import type { HostProcess } from '@switchyard/host';
import { loggerSettings, type RootLogger } from '@switchyard/telemetry';

export interface ReloadOptions {
  readonly process: Pick<HostProcess, 'on'>;
  readonly logger: RootLogger;
  /** The name of the process in its log. */
  readonly service: string;
  readonly sources: ConfigSources;
  /** What was loaded from the sources at the start. */
  readonly loaded: Config;
  /** What the process made of it. */
  readonly config: Config;
  /** The process belongs to a terminal, which sends SIGHUP when it is closed. */
  readonly hasTerminal?: boolean;
}

/**
 * SIGUSR1 opens the log files again. SIGHUP does that too and reloads the configuration: options that a running process can
 * change are applied, all other changed options are named in the log. An invalid configuration changes nothing.
 */
export function reloadOnSignals({ process, logger, hasTerminal = false, ...options }: ReloadOptions): void {
  process.on('SIGUSR1', () => logger.reopen());
  // Closing the terminal ends the process.
  if (hasTerminal) return;
  let { loaded, config } = options;
  process.on('SIGHUP', () => {
    logger.reopen();
    try {
      const next = loadConfig(options.sources);
      for (const warning of next.warnings) logger.warn(warning);
      const { config: reloaded, applied, restartNeeded } = reloadedConfig(loaded, next.config);
      const own = reloadedConfig(config, next.config).config;
      const refused = logger.adjust(loggerSettings(own, options.service));
      [loaded, config] = [reloaded, own];
      const isComplete = restartNeeded.length === 0 && refused === undefined;
      const log = refused === undefined ? '' : ` The log is unchanged until a restart: ${refused}.`;
      const fields = { applied, restart_needed: restartNeeded };
      logger[isComplete ? 'info' : 'warn'](`Reloaded the configuration.${log}`, fields);
    } catch (error) {
      logger.error('The configuration was not reloaded.', { error });
    }
  });
}
