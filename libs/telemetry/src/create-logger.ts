import { createLogger as createWinston, type Logger as Winston } from 'winston';
import type { Destination } from './destinations/destination';
import { stdoutDestination } from './destinations/stdout-destination';
import { lineFormats, type LogFormat } from './formats/line-formats';
import { LineTransport } from './line-transport';
import type { LogLine } from './log-line';
import { logLevels, type LogFields, type Logger, type LogLevel, type RootLogger } from './logger';
import { printable } from './printable';
import { rememberingSecretNames } from './secret-names';

export interface LoggerOptions {
  readonly service: string;
  readonly level: Exclude<LogLevel, 'audit'>;
  readonly format: LogFormat;
  /** Replace the values of fields with secret names by asterisks, in all lines above level debug. */
  readonly mask: boolean;
  /** Further names of secret fields. */
  readonly maskNames: readonly string[];
  /** Standard output without it. */
  readonly destination?: Destination;
  /** Gets audit lines as well, as JSON (or GELF where the log is GELF). */
  readonly auditDestination?: Destination;
}

/** Builds the log of a process. It warns first thing when debug lines, which are not masked, are on. */
export function createLogger(options: LoggerOptions): RootLogger {
  const { level, format, destination = stdoutDestination(), auditDestination } = options;
  const transports = [new LineTransport(level, lineFormats[format], destination)];
  if (auditDestination) {
    transports.push(new LineTransport('audit', lineFormats[format === 'gelf' ? 'gelf' : 'json'], auditDestination));
  }
  const winston = createWinston({ levels: winstonLevels, level, transports });
  const destinations = [destination, ...(auditDestination ? [auditDestination] : [])];
  const isSecret = options.mask ? rememberingSecretNames(options.maskNames) : nothingIsSecret;
  const logger = loggerOn({ winston, service: options.service, level, isSecret }, {});
  if (level === 'debug') logger.warn('Log lines of level debug are not masked: they may show secret values.');
  return {
    ...logger,
    reopen: () => destinations.forEach((target) => target.reopen()),
    close: async () => {
      winston.silent = true;
      winston.close();
      await Promise.all(destinations.map((target) => target.close()));
    },
  };
}

const winstonLevels = Object.fromEntries(logLevels.map((level, rank) => [level, rank]));

const nothingIsSecret = () => false;

interface Log {
  readonly winston: Winston;
  readonly service: string;
  readonly level: LogLevel;
  readonly isSecret: (name: string) => boolean;
}

function loggerOn(log: Log, inherited: LogFields): Logger {
  const isEnabled = (level: LogLevel) => logLevels.indexOf(level) <= logLevels.indexOf(log.level);
  // winston formats first and asks for the level last; so that disabled levels are free, they never reach it.
  const method = (level: LogLevel) => (isEnabled(level) ? writer(log, level, inherited) : ignore);
  return {
    audit: method('audit'),
    error: method('error'),
    warn: method('warn'),
    info: method('info'),
    debug: method('debug'),
    child: (fields) => loggerOn(log, { ...inherited, ...fields }),
    isEnabled,
  };
}

const ignore = () => undefined;

function writer({ winston, service, level: lowest, isSecret }: Log, level: LogLevel, inherited: LogFields) {
  const options = { withStack: lowest === 'debug', isSecret: level === 'debug' ? nothingIsSecret : isSecret };
  return (message: string, given: LogFields = {}): void => {
    const fields = printable({ ...inherited, ...given }, options) as Record<string, unknown>;
    winston.log({ level, message, timeMs: Date.now(), service, fields } satisfies LogLine);
  };
}
