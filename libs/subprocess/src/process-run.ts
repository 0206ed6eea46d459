import { constants } from 'node:os';
import type { CapturedOutput } from './process-output';

/** A program with its arguments, or a script for a shell (by default `/bin/sh`). */
export type ProcessCommand =
  | { readonly file: string; readonly args?: readonly string[] }
  | { readonly script: string; readonly shell?: string; readonly args?: readonly string[] };

/** The program and its arguments. */
export function programWords({ command }: Pick<ProcessOptions, 'command'>): [string, readonly string[]] {
  if ('file' in command) return [command.file, command.args ?? []];
  return [command.shell ?? '/bin/sh', ['-c', command.script, ...(command.args ?? [])]];
}

export type OutputStream = 'stdout' | 'stderr';

/** An environment variable that identifies descendants that left the process group and the session. */
export interface EnvironmentMarker {
  readonly name: string;
  readonly value: string;
}

/**
 * How to signal processes of another user, such as those that `sudo` started: `command` is the prefix of a shell command
 * (`['sudo', '-n']`), and `input` is written to its standard input (a line with a password).
 */
export interface Elevation {
  readonly command: readonly [string, ...string[]];
  readonly input?: string;
}

export interface ProcessOptions {
  readonly command: ProcessCommand;
  readonly cwd?: string;
  /** The complete environment of the child. Default: the environment of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Written to standard input, which is then closed. Default: `/dev/null`. */
  readonly stdin?: string | Buffer;
  /** Time after which the child and its descendants are ended with the cause `timeout`. */
  readonly timeoutMs?: number;
  /** Time between SIGTERM and SIGKILL after a timeout. Default 5 seconds. */
  readonly graceMs?: number;
  /** Number of bytes that the result keeps of each stream, from its beginning. Default 10 MiB. */
  readonly maxOutputBytes?: number;
  /** Number of additional two-way connections, starting at file descriptor 3 of the child. */
  readonly channels?: number;
  /** Set in the environment of the child, and used to find its descendants. */
  readonly marker?: EnvironmentMarker;
  readonly elevation?: Elevation;
  /** Receives all chunks, including those that the result does not keep. The child waits while its promise is pending. */
  readonly onOutput?: (stream: OutputStream, chunk: Buffer) => void | Promise<void>;
}

/** The environment of the process. */
export const environmentOf = ({ env = process.env, marker }: Pick<ProcessOptions, 'env' | 'marker'>) => ({
  ...env,
  ...(marker && { [marker.name]: marker.value }),
});

/** The end of a process. */
export interface Exit {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

const SIGNAL_BITS = 0x7f;
const CODE_SHIFT = 8;
const CODE_BITS = 0xff;

/** Decodes a status of wait(2). */
export function exitOfStatus(status: number): Exit {
  const number = status & SIGNAL_BITS;
  if (number === 0) return { exitCode: (status >> CODE_SHIFT) & CODE_BITS, signal: null };
  const [name] = Object.entries(constants.signals).find(([, value]) => value === number) ?? ['SIGKILL'];
  return { exitCode: null, signal: name as NodeJS.Signals };
}

/**
 * Why a run ended. The first cause counts: a process that our signal kills after its time limit has timed out. `lost`
 * means that its exit status cannot be known, because the process that started it has died (see `SpawnServer`). Then it
 * is ended.
 */
export type EndCause = 'exit' | 'signal' | 'timeout' | 'cancel' | 'spawn-error' | 'lost';

/** Why no process was started. `path` is the program, or the working directory if that is the problem. */
export interface SpawnError {
  readonly code: string;
  readonly path: string;
  readonly message: string;
}

/** The result of a run, however it ended. */
export interface ProcessResult {
  readonly cause: EndCause;
  /** Null if a signal ended the process, or if none was started. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: CapturedOutput;
  readonly stderr: CapturedOutput;
  readonly spawnError?: SpawnError;
  /** The first error of `onOutput`. It does not stop the run. */
  readonly outputError?: unknown;
  /** Processes that SIGKILL did not end in time, for example because they are blocked in the kernel. Normally empty. */
  readonly survivors: readonly number[];
}
