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

/**
 * The logger options of a process, as configured in `[log]` or in the logging file of its service. Opens the configured files.
 * @throws config.unreadable-file, config.syntax
 */
export function loggerOptions(config: Config, service: string): LoggerOptions {
  const { handlers, warnings } = loggingFileOf(config, service);
  const debug = isDebug(config, service);
  return {
    service,
    outputs:
      handlers.length === 0 ? configuredOutputs(config, service, debug) : handlerOutputs(handlers, service, debug),
    mask: config.log.mask_secrets,
    maskNames: config.log.mask_secrets_blacklist,
    warnings,
  };
}

function isDebug({ DEFAULT, system, auth }: Config, service: string): boolean {
  const hasAuth = service.split(JOINT).some((name) => WITH_AUTH.includes(name));
  return DEFAULT.debug || system.debug || (auth.debug && hasAuth);
}

function configuredOutputs({ log }: Config, service: string, debug: boolean): LogOutput[] {
  const destination = destinationOf(log.file === null ? 'stdout' : { file: log.file }, service);
  const main: LogOutput = { level: debug ? 'debug' : log.level, format: log.format, destination };
  if (log.audit_file === null) return [main];
  const format = log.format === 'gelf' ? 'gelf' : 'json';
  return [main, { level: 'audit', format, destination: destinationOf({ file: log.audit_file }, service) }];
}

/** Audit lines only go to handlers of the level AUDIT, unless there is none, and to those of the level DEBUG. */
function handlerOutputs(handlers: readonly LoggingHandler[], service: string, debug: boolean): LogOutput[] {
  const hasAudit = handlers.some(({ level }) => level === 'audit');
  return handlers.map((handler) => {
    const level = debug && handler.level !== 'audit' ? 'debug' : handler.level;
    const destination = destinationOf(handler.target, service);
    return {
      level,
      format: handler.format,
      destination,
      withoutAudit: hasAudit && !['audit', 'debug'].includes(level),
    };
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
