import type { CapturedOutput } from './output-capture';

/** Why a run is over. Whatever happened first decides: a process that dies of our signal after its time was up timed out. */
export type EndCause = 'exit' | 'signal' | 'timeout' | 'cancel' | 'spawn-error';

/** Why no process came into being. `path` is the program, or the working directory when that one is at fault. */
export interface SpawnError {
  readonly code: string;
  readonly path: string;
  readonly message: string;
}

/** The end of a run, whatever kind of end it was. */
export interface ProcessResult {
  readonly cause: EndCause;
  /** Null when a signal ended the process, or when there was none. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: CapturedOutput;
  readonly stderr: CapturedOutput;
  readonly spawnError?: SpawnError;
  /** The first failure of `onOutput`; the run itself went on. */
  readonly outputError?: unknown;
  /** Processes that even SIGKILL did not end in time, such as those stuck in the kernel. Normally empty. */
  readonly survivors: readonly number[];
}
