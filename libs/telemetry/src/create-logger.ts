import { createLogger as createWinston, format as winstonFormat, type Logger as Winston } from 'winston';
import Transport from 'winston-transport';
import type { Destination } from './destinations/destination';
import { stdoutDestination } from './destinations/stdout-destination';
import { lineFormats, type LineFormat, type LogFormat, type LogLine } from './line-formats';
import { logLevels, type LogFields, type Logger, type LogLevel, type RootLogger } from './logger';
import { printable, rememberingSecretNames } from './printable';

export interface LoggerOptions {
  readonly service: string;
  readonly level: Exclude<LogLevel, 'audit'>;
  readonly format: LogFormat;
  /** Replace the values of fields with secret names with asterisks, except in lines of level debug. */
  readonly mask: boolean;
  /** Additional names of secret fields. */
  readonly maskNames: readonly string[];
  /** Defaults to standard output. */
  readonly destination?: Destination;
  /** Also receives the audit lines, as GELF if that is the format of the log, otherwise as JSON. */
  readonly auditDestination?: Destination;
}

/** Creates the logger of a process. If level debug is on, its first line warns that debug lines are not masked. */
export function createLogger(options: LoggerOptions): RootLogger {
  const { level, format, destination = stdoutDestination(), auditDestination } = options;
  const transports = [new LineTransport(level, lineFormats[format], destination)];
  if (auditDestination) {
    transports.push(new LineTransport('audit', lineFormats[format === 'gelf' ? 'gelf' : 'json'], auditDestination));
  }
  const winston = createWinston({ levels: winstonLevels, level, transports, format: unchanged() });
  const destinations = [destination, ...(auditDestination ? [auditDestination] : [])];
  const isSecret = options.mask ? rememberingSecretNames(options.maskNames) : nothingIsSecret;
  const logger = loggerOn({ winston, service: options.service, level, isSecret }, {});
  if (level === 'debug') logger.warn('Log lines of level debug are not masked and may contain secrets.');
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

/** The transports format the lines. Without this, winston would also format each line as JSON. */
const unchanged = winstonFormat((line) => line);

/** The last step of winston's pipeline: formats a line and passes it to a destination. */
class LineTransport extends Transport {
  constructor(
    level: LogLevel,
    private readonly formatLine: LineFormat,
    private readonly destination: Destination,
  ) {
    super({ level });
  }

  override log(line: LogLine, done: () => void): void {
    this.destination.write(this.formatLine(line));
    done();
  }
}

const nothingIsSecret = () => false;

interface Log {
  readonly winston: Winston;
  readonly service: string;
  readonly level: LogLevel;
  readonly isSecret: (name: string) => boolean;
}

function loggerOn(log: Log, inherited: LogFields): Logger {
  const isEnabled = (level: LogLevel) => logLevels.indexOf(level) <= logLevels.indexOf(log.level);
  // winston formats a line before it checks the level, so disabled levels must not reach it.
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
