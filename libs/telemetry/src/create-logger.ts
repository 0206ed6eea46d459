import { isDeepStrictEqual } from 'node:util';
import type { LoggingHandler } from '@switchyard/config';
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
  /** What the destination was opened from; undefined if it was not configured. */
  readonly target?: LoggingHandler['target'];
  /** It gets no audit lines, because another output has them. */
  readonly withoutAudit?: boolean;
}

/** Creates the logger of a process. If level debug is on, its first line warns that debug lines are not masked. */
export function createLogger(options: LoggerOptions): RootLogger {
  const { outputs } = options;
  const transports = outputs.map((output) => new LineTransport(output));
  // Without transports, winston prints a warning for each line.
  const silent = transports.length === 0;
  const winston = createWinston({ levels: winstonLevels, transports, format: unchanged(), silent });
  const log: Log = { winston, service: options.service, rank: 0, isSecret: nothingIsSecret };
  const logger = loggerOn(log, {});
  const use = ({ outputs: wanted, ...settings }: Pick<LoggerOptions, 'mask' | 'maskNames'> & { outputs: Levels }) => {
    const before = log.rank;
    transports.forEach((transport, index) => transport.use(wanted[index]!));
    log.rank = Math.max(0, ...wanted.map(({ level }) => rankOf(level)));
    log.isSecret = settings.mask ? rememberingSecretNames(settings.maskNames) : nothingIsSecret;
    winston.level = logLevels[log.rank]!;
    if (log.rank === DEBUG && before !== DEBUG)
      logger.warn('Log lines of level debug are not masked and may contain secrets.');
  };
  use(options);
  for (const warning of options.warnings ?? []) logger.warn(warning);
  const destinations = outputs.map(({ destination }) => destination);
  return {
    ...logger,
    reopen: () => destinations.forEach((target) => target.reopen()),
    adjust: (settings) => {
      if (!isDeepStrictEqual(settings.outputs.map(placeOf), outputs.map(placeOf)))
        return 'its files or formats have changed';
      use(settings);
      return undefined;
    },
    close: async () => {
      winston.silent = true;
      winston.close();
      await Promise.all(destinations.map((target) => target.close()));
    },
  };
}

type Levels = readonly Pick<LogOutput, 'level' | 'withoutAudit'>[];

const placeOf = ({ format, target }: Pick<LogOutput, 'format' | 'target'>) => ({ format, target });

const rankOf = (level: LogLevel): number => logLevels.indexOf(level);
const DEBUG = rankOf('debug');

const winstonLevels = Object.fromEntries(logLevels.map((level, rank) => [level, rank]));

/** The transports format the lines. Without this, winston would also format each line as JSON. */
const unchanged = winstonFormat((line) => line);

/** The last step of winston's pipeline: formats a line and passes it to a destination. */
class LineTransport extends Transport {
  private readonly formatLine: LineFormat;
  private withoutAudit = false;

  constructor(private readonly output: LogOutput) {
    super({ level: output.level });
    this.formatLine = lineFormats[output.format];
  }

  use({ level, withoutAudit = false }: Levels[number]): void {
    this.level = level;
    this.withoutAudit = withoutAudit;
  }

  override log(line: LogLine, done: () => void): void {
    const isElsewhere = this.withoutAudit && line.level === 'audit';
    if (!isElsewhere) this.output.destination.write(this.formatLine(line));
    done();
  }
}

const nothingIsSecret = () => false;

/** Shared by a logger and its children. */
interface Log {
  readonly winston: Winston;
  readonly service: string;
  /** The place in `logLevels` of the lowest level that is written. */
  rank: number;
  isSecret: (name: string) => boolean;
}

function loggerOn(log: Log, inherited: LogFields): Logger {
  return {
    audit: writer(log, 'audit', inherited),
    error: writer(log, 'error', inherited),
    warn: writer(log, 'warn', inherited),
    info: writer(log, 'info', inherited),
    debug: writer(log, 'debug', inherited),
    child: (fields) => loggerOn(log, { ...inherited, ...fields }),
    isEnabled: (level) => rankOf(level) <= log.rank,
  };
}

function writer(log: Log, level: LogLevel, inherited: LogFields) {
  const rank = rankOf(level);
  return (message: string, given: LogFields = {}): void => {
    // winston formats a line before it checks the level, so disabled levels must not reach it.
    if (rank > log.rank) return;
    const options = { withStack: log.rank === DEBUG, isSecret: rank === DEBUG ? nothingIsSecret : log.isSecret };
    const fields = printable({ ...inherited, ...given }, options) as Record<string, unknown>;
    log.winston.log({ level, message, timeMs: Date.now(), service: log.service, fields } satisfies LogLine);
  };
}
