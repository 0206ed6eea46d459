import { SECOND_MS } from '@switchyard/base';
import { loggingFileOf, type Config, type LoggingHandler } from '@switchyard/config';
import type { LoggerOptions, LogOutput } from './create-logger';
import type { Destination } from './destinations/destination';
import { fileDestination } from './destinations/file-destination';
import { streamDestination } from './destinations/stream-destination';

/** The auth service, and the process with all services. */
const WITH_AUTH = ['auth', 'switchyard'];
/** Between the names of services that share a process. */
const JOINT = '+';

/** The settings of a logger, before its files are opened. */
export interface LoggerSettings extends Omit<LoggerOptions, 'outputs'> {
  readonly outputs: readonly OutputSettings[];
}

export interface OutputSettings extends Omit<LogOutput, 'destination'> {
  readonly target: LoggingHandler['target'];
}

/**
 * The logger options of a process, as configured in `[log]` or in the logging file of its service. Opens the configured files.
 * @throws config.unreadable-file, config.syntax
 */
export function loggerOptions(config: Config, service: string): LoggerOptions {
  const settings = loggerSettings(config, service);
  const outputs = settings.outputs.map((output) => ({ ...output, destination: destinationOf(output.target, service) }));
  return { ...settings, outputs };
}

/** @throws config.unreadable-file, config.syntax */
export function loggerSettings(config: Config, service: string): LoggerSettings {
  const { handlers, warnings } = loggingFileOf(config, service);
  const debug = isDebug(config, service);
  return {
    service,
    outputs: handlers.length === 0 ? configuredOutputs(config, debug) : handlerOutputs(handlers, debug),
    mask: config.log.mask_secrets,
    maskNames: config.log.mask_secrets_blacklist,
    warnings,
  };
}

function isDebug({ DEFAULT, system, auth }: Config, service: string): boolean {
  const hasAuth = service.split(JOINT).some((name) => WITH_AUTH.includes(name));
  return DEFAULT.debug || system.debug || (auth.debug && hasAuth);
}

function configuredOutputs({ log }: Config, debug: boolean): OutputSettings[] {
  const target = log.file === null ? 'stdout' : { file: log.file };
  const main: OutputSettings = { level: debug ? 'debug' : log.level, format: log.format, target };
  if (log.audit_file === null) return [main];
  const format = log.format === 'gelf' ? 'gelf' : 'json';
  return [main, { level: 'audit', format, target: { file: log.audit_file } }];
}

/** Audit lines only go to handlers of the level AUDIT, unless there is none, and to those of the level DEBUG. */
function handlerOutputs(handlers: readonly LoggingHandler[], debug: boolean): OutputSettings[] {
  const hasAudit = handlers.some(({ level }) => level === 'audit');
  return handlers.map(({ level: own, format, target }) => {
    const level = debug && own !== 'audit' ? 'debug' : own;
    return { level, format, target, withoutAudit: hasAudit && !['audit', 'debug'].includes(level) };
  });
}

function destinationOf(target: LoggingHandler['target'], service: string): Destination {
  if (typeof target === 'string') return streamDestination(process[target]);
  return fileDestination(filledPath(target.file, service));
}

/** Fills in the placeholders of StackStorm's log file names, and `{service}`. */
function filledPath(path: string, service: string): string {
  const timestamp = String(Math.floor(Date.now() / SECOND_MS));
  const values: Record<string, string> = { service, pid: String(process.pid), timestamp, ts: timestamp };
  return path.replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
}
