/** From the most to the least serious. */
export const LOG_LEVELS = ['AUDIT', 'CRITICAL', 'ERROR', 'WARNING', 'INFO', 'DEBUG'] as const;

export type NodeLogLevel = (typeof LOG_LEVELS)[number];

/** The connection between runner and action: one JSON document per line, in both directions. */
export const CHANNEL_FD = 3;

/** The first line to the action. It is sent this way because parameters and configuration contain secrets. */
export interface NodeStartMessage {
  readonly file: string;
  readonly pack: string;
  readonly action: string;
  readonly executionId: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly config: Readonly<Record<string, unknown>>;
  readonly logLevel: NodeLogLevel;
}

/**
 * The outcome of the action. The process exits only after the runner acknowledged it with a line, so that the exit of the
 * process is always the last event.
 */
export interface OutcomeMessage {
  readonly succeeded: boolean;
  readonly result: unknown;
}
