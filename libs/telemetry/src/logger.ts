/**
 * Levels from the gravest down. Audit lines always pass: they are the record of who did what, and not a degree of
 * trouble.
 */
export const logLevels = ['audit', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

/** What a line tells besides its message. Errors may be given as they are, under any name. */
export type LogFields = Readonly<Record<string, unknown>>;

/** What code that logs receives. Calls below the level of the log cost nothing but their arguments. */
export interface Logger {
  audit(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
  /** A logger whose lines all carry these fields as well. */
  child(fields: LogFields): Logger;
  /** For fields that are expensive to make. */
  isEnabled(level: LogLevel): boolean;
}

/** The log of a process, in the hands of whoever starts and ends it. */
export interface RootLogger extends Logger {
  /** Opens files anew, after they were rotated. */
  reopen(): void;
  /** Writes what is pending and closes files. Later lines are lost. */
  close(): Promise<void>;
}
