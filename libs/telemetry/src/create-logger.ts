import { createLogger as createWinston, format as winstonFormat, type Logger as Winston } from 'winston';
import Transport from 'winston-transport';
import type { Destination } from './destinations/destination';
import { lineFormats, type LineFormat, type LogFormat, type LogLine } from './line-formats';
import { logLevels, type LogFields, type Logger, type LogLevel, type RootLogger } from './logger';
import { printable, rememberingSecretNames } from './printable';

export interface LoggerOptions {
  readonly service: string;
  /** Replace the values of fields with secret names with asterisks, except in lines of level debug. */
  readonly mask: boolean;
  /** Additional names of secret fields. */
  readonly maskNames: readonly string[];
  readonly outputs: readonly LogOutput[];
  /** Logged first. */
  readonly warnings?: readonly string[];
}

/** One destination of the log. */
export interface LogOutput {
  /** The lowest level of its lines. With `audit`, it only gets audit lines. */
  readonly level: LogLevel;
  readonly format: LogFormat;
  readonly destination: Destination;
  /** It gets no audit lines, because another output has them. */
  readonly withoutAudit?: boolean;
}

/** Creates the logger of a process. If level debug is on, its first line warns that debug lines are not masked. */
export function createLogger(options: LoggerOptions): RootLogger {
  const { outputs } = options;
  const level = logLevels[Math.max(0, ...outputs.map((output) => logLevels.indexOf(output.level)))]!;
  const transports = outputs.map((output) => new LineTransport(output));
  const winston = createWinston({ levels: winstonLevels, level, transports, format: unchanged() });
  const destinations = outputs.map(({ destination }) => destination);
  const isSecret = options.mask ? rememberingSecretNames(options.maskNames) : nothingIsSecret;
  const logger = loggerOn({ winston, service: options.service, level, isSecret }, {});
  for (const warning of options.warnings ?? []) logger.warn(warning);
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
  private readonly formatLine: LineFormat;

  constructor(private readonly output: LogOutput) {
    super({ level: output.level });
    this.formatLine = lineFormats[output.format];
  }

  override log(line: LogLine, done: () => void): void {
    const isElsewhere = this.output.withoutAudit && line.level === 'audit';
    if (!isElsewhere) this.output.destination.write(this.formatLine(line));
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
