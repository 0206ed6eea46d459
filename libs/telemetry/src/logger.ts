import type { LoggerSettings } from './logger-options';

/**
 * Levels, most severe first. Audit lines are always written: they record who did what.
 */
export const logLevels = ['audit', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

/** The data of a log line. Errors may be passed unchanged, under any name. */
export type LogFields = Readonly<Record<string, unknown>>;

/** The interface for code that logs. Calls below the level of the log do nothing. */
export interface Logger {
  audit(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
  /** A logger that adds these fields to all of its lines. */
  child(fields: LogFields): Logger;
  /** Use it to skip fields that are expensive to compute. */
  isEnabled(level: LogLevel): boolean;
}

/** The logger of a process, for the code that starts and stops the process. */
export interface RootLogger extends Logger {
  /** Reopens files after a rotation. */
  reopen(): void;
  /**
   * Changes levels and masking, also of children. @returns why not: the destinations or formats would change, which needs a restart
   */
  adjust(settings: LoggerSettings): string | undefined;
  /** Writes pending lines and closes the files. Later lines are lost. */
  close(): Promise<void>;
}
