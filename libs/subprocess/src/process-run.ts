import { constants } from 'node:os';
import type { Duplex, Readable } from 'node:stream';
import { deferred, MIB } from '@switchyard/base';
import { endDescendants, type Elevation } from './end-descendants';
import { PipeEnd } from './pipe-end';
import type { ProcessIdentity } from './proc-entry';
import { OutputCapture, awaitOutput, pumpOutput, type CapturedOutput, type OutputPump } from './process-output';
import type { EnvironmentMarker } from './survivors';

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

export interface ProcessOptions {
  readonly command: ProcessCommand;
  readonly cwd?: string;
  /** Variables that many processes have in common, always in the same object. Default: none, or those of this process without `env`. */
  readonly commonEnv?: Readonly<Record<string, string>>;
  /** The variables of this process, which replace common ones. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Written to standard input, which is then closed. Default: `/dev/null`. */
  readonly stdin?: string | Buffer;
  /** Time after which the child and its descendants are ended with the cause `timeout`. */
  readonly timeoutMs?: number;
  /** Time between SIGTERM and SIGKILL after a timeout. Default 5 seconds. */
  readonly graceMs?: number;
  /**
   * Whether the output of processes that the child has left running is read until they close it, too, as long as the time limit allows.
   * Otherwise it is read for another 300 ms.
   */
  readonly awaitsBackground?: boolean;
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
export const environmentOf = ({
  commonEnv,
  env = commonEnv ?? process.env,
  marker,
}: Pick<ProcessOptions, 'commonEnv' | 'env' | 'marker'>) => ({
  ...commonEnv,
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

export const DEFAULT_MAX_OUTPUT_BYTES = 10 * MIB;
/** Node.js fires longer timers at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface ChildRun {
  /** Undefined if no process was started; `result` has the reason. */
  readonly identity: ProcessIdentity | undefined;
  /** The requested connections. The caller handles their errors and closes them. */
  readonly channels: readonly Duplex[];
  /** Never rejects. Resolves when the process has ended and its output is read (see `awaitOutput`). */
  readonly result: Promise<ProcessResult>;
  /** Ends the process and all its descendants: SIGTERM, and SIGKILL after the grace time (default 5 seconds). */
  end(options?: { readonly graceMs?: number }): void;
}

/** The options of a run whose process is already started. */
export type FollowProcessOptions = Pick<
  ProcessOptions,
  'timeoutMs' | 'graceMs' | 'awaitsBackground' | 'maxOutputBytes' | 'marker' | 'elevation' | 'onOutput'
>;

/**
 * Follows a process that other code started in its own session, like `startProcess`.
 * @param child its `exited` must settle, even if the code that started it fails
 */
export const followProcess = (child: FollowedProcess, options: FollowProcessOptions): ChildRun =>
  new Run(child, options);

class Run implements ChildRun {
  readonly identity: ProcessIdentity;
  readonly channels: readonly Duplex[];
  readonly result: Promise<ProcessResult>;
  readonly #child: FollowedProcess;
  readonly #options: FollowProcessOptions;
  readonly #captures: Readonly<Record<OutputStream, OutputCapture>>;
  #cause: EndCause | undefined;
  #ending: Promise<number[]> | undefined;
  /** Resolves when background processes have been ended, or the time is up. */
  readonly #patience = deferred();
  #outputFailure: { readonly thrown: unknown } | undefined;

  constructor(child: FollowedProcess, options: FollowProcessOptions) {
    const limit = options.maxOutputBytes ?? DEFAULT_MAX_OUTPUT_BYTES;
    this.identity = child.identity;
    this.channels = child.channels ?? [];
    this.#child = child;
    this.#options = options;
    this.#captures = { stdout: new OutputCapture(limit), stderr: new OutputCapture(limit) };
    this.result = this.#follow();
  }

  end(options: { readonly graceMs?: number } = {}): void {
    this.#end('cancel', options.graceMs);
  }

  async #follow(): Promise<ProcessResult> {
    const pumps = [this.#pump('stdout'), this.#pump('stderr')];
    const { timeoutMs } = this.#options;
    const limit = Math.min(timeoutMs ?? 0, LONGEST_TIMER_MS);
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => this.#onTimeUp(), limit);
    const exit = await this.#child.exited.catch(() => this.#lose());
    this.#cause ??= exit.signal === null ? 'exit' : 'signal';
    await this.#ending;
    if (timer !== undefined && this.#ending === undefined) await this.#awaitBackground(pumps);
    clearTimeout(timer);
    await awaitOutput(pumps);
    return this.#finish(exit, this.#cause, (await this.#ending) ?? []);
  }

  async #awaitBackground(pumps: readonly OutputPump[]): Promise<void> {
    if (this.#options.awaitsBackground !== true) return;
    await Promise.race([Promise.all(pumps.map((pump) => pump.finished)), this.#patience.promise]);
  }

  /** A process that has ended by itself has not timed out, whatever it has left running. */
  #onTimeUp(): void {
    if (this.#cause === undefined) this.#end('timeout');
    else this.#patience.resolve();
  }

  #lose(): Exit {
    this.#end('lost');
    return { exitCode: null, signal: null };
  }

  /** Keeps the first cause, and ends the descendants once. */
  #end(cause: EndCause, graceMs = this.#options.graceMs): void {
    this.#cause ??= cause;
    const { pid: leader, startTime: since } = this.identity;
    const { marker, elevation } = this.#options;
    this.#ending ??= endDescendants(
      { leader, since, ...(marker && { marker }) },
      { ...(graceMs !== undefined && { graceMs }), ...(elevation && { elevation }) },
    );
    void this.#ending.then(() => this.#patience.resolve());
  }

  #pump(name: OutputStream): OutputPump {
    const { onOutput } = this.#options;
    const receive = (chunk: Buffer) => {
      this.#captures[name].add(chunk);
      return onOutput && this.#deliver(() => onOutput(name, chunk));
    };
    const { [name]: source, exited } = this.#child;
    return source instanceof PipeEnd ? source.pump(exited, receive) : pumpOutput(source, receive);
  }

  /** @returns a promise only if the receiver is busy */
  #deliver(hand: () => void | Promise<void>): Promise<void> | undefined {
    try {
      return hand()?.catch((thrown: unknown) => void (this.#outputFailure ??= { thrown }));
    } catch (thrown) {
      this.#outputFailure ??= { thrown };
      return undefined;
    }
  }

  #finish(exit: Exit, cause: EndCause, survivors: readonly number[]): ProcessResult {
    return {
      cause,
      ...exit,
      stdout: this.#captures.stdout.finish(),
      stderr: this.#captures.stderr.finish(),
      survivors,
      ...(this.#outputFailure && { outputError: this.#outputFailure.thrown }),
    };
  }
}

/** A running process with its output streams. */
export interface FollowedProcess {
  readonly identity: ProcessIdentity;
  readonly stdout: Readable | PipeEnd;
  readonly stderr: Readable | PipeEnd;
  readonly channels?: readonly Duplex[];
  /** Rejects if the exit status cannot be known. */
  readonly exited: Promise<Exit>;
}
