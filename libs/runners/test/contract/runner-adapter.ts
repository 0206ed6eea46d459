import type { RunHandle } from '@switchyard/runners';

/** What every runner has to hold, see `runner-contract.test.ts`. */
export const ROWS = [
  'success',
  'failure',
  'timeout',
  'cancel',
  'cancel at once',
  'output in pieces',
  'big output',
  'secrets',
] as const;

export type Row = (typeof ROWS)[number];

/**
 * What a runner is made to do: succeed; fail; go on for ever, with a descendant in a session of its own where there are
 * processes; say `one`, wait for the file `gate`, and say `two`; put out `bytes` bytes.
 */
export type Work = 'succeed' | 'fail' | 'endless' | 'gated' | 'big';

export interface Given {
  readonly gate?: string;
  readonly bytes?: number;
  /** Given to the run in whatever way the runner has for secrets. */
  readonly secret?: string;
  /** Seconds. */
  readonly timeout?: number;
  readonly maxOutputBytes?: number;
}

/** A run that was started, and what can be seen of it. */
export interface Begun {
  readonly handle: RunHandle;
  /** Chunks as they came. */
  readonly pieces: readonly string[];
  readonly log: readonly string[];
  /** Those of the log that are warnings or errors. */
  readonly complaints: readonly string[];
  /** Resolves when the work is well under way. */
  inMidRun(): Promise<void>;
  /** Processes or connections that are still there. */
  left(): Promise<readonly unknown[]>;
}

export interface RunnerAdapter {
  readonly runner: string;
  /** Where the machine may lack what the runner needs. */
  readonly describe?: jest.Describe;
  open(): Promise<void>;
  begin(work: Work, given?: Given): Begun;
  close(): Promise<void>;
  /** Why a row says nothing about this runner. */
  readonly notes: Partial<Record<Row, string>>;
}

/** Waits for what no event tells. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(setImmediate);
}
