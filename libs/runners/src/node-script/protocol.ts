/** From the most to the least serious. */
export const LOG_LEVELS = ['AUDIT', 'CRITICAL', 'ERROR', 'WARNING', 'INFO', 'DEBUG'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** The connection between runner and action: one JSON document a line, both ways. */
export const CHANNEL_FD = 3;

/** The first line to the action: what it is to do. It comes this way since parameters and configuration hold secrets. */
export interface StartMessage {
  readonly file: string;
  readonly pack: string;
  readonly action: string;
  readonly executionId: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly config: Readonly<Record<string, unknown>>;
  readonly logLevel: LogLevel;
}

/**
 * What the action came to. The process does not end before the runner has answered with a line of its own, so that the end
 * of the process is the end of everything.
 */
export interface OutcomeMessage {
  readonly succeeded: boolean;
  readonly result: unknown;
}
