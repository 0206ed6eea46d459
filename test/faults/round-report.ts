/** The result of one round of faults. */
export interface RoundReport {
  readonly problems: readonly string[];
  readonly line: string;
  readonly fault: string;
  /** Milliseconds from the end of the fault (or the start of continuing faults) until everything accepted has ended. */
  readonly tookMs: number;
}
