import type { LogLevel } from './logger';

/** One line before it is formatted. The fields are masked and hold nothing that JSON cannot carry. */
export interface LogLine {
  readonly level: LogLevel;
  readonly message: string;
  /** Milliseconds since the Unix epoch. */
  readonly timeMs: number;
  readonly service: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export type LineFormat = (line: LogLine) => string;
