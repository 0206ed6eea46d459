import type { RunHandle } from '@switchyard/runners';

/** The contract of every runner, see `runner-contract.test.ts`. */
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
 * The work of a runner: succeed; fail; run forever, with a descendant in its own session if there are processes; print `one`,
 * wait for the file `gate`, and print `two`; print `bytes` bytes.
 */
export type Work = 'succeed' | 'fail' | 'endless' | 'gated' | 'big';

export interface Given {
  readonly gate?: string;
  readonly bytes?: number;
  /** Passed to the run by the runner's means for secrets. */
  readonly secret?: string;
  /** Seconds. */
  readonly timeout?: number;
  readonly maxOutputBytes?: number;
}

/** A started run and its observable effects. */
export interface Begun {
  readonly handle: RunHandle;
  /** Chunks in order of arrival. */
  readonly pieces: readonly string[];
  readonly log: readonly string[];
  /** Warnings and errors in the log. */
  readonly complaints: readonly string[];
  /** Resolves when the work is well under way. */
  inMidRun(): Promise<void>;
  /** Remaining processes or connections. */
  left(): Promise<readonly unknown[]>;
}

export interface RunnerAdapter {
  readonly runner: string;
  /** Set if the machine may lack what the runner needs. */
  readonly describe?: jest.Describe;
  open(): Promise<void>;
  begin(work: Work, given?: Given): Begun;
  close(): Promise<void>;
  /** Why a row does not apply to this runner. */
  readonly notes: Partial<Record<Row, string>>;
}

/** Polls for a condition that has no event. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(setImmediate);
}
