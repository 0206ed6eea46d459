import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, statSync } from 'node:fs';
import type { Duplex, Readable } from 'node:stream';
import { MIB, deferred } from '@switchyard/base';
import { endDescendants } from './end-descendants';
import type { Exit } from './exit-status';
import { type ProcessIdentity, processIdentity } from './proc-entry';
import {
  OutputCapture,
  awaitOutput,
  pumpOutput,
  type OutputPump,
  discardOutputPipe,
  openOutputPipe,
  type OutputPipe,
} from './process-output';
import {
  programWords,
  type EndCause,
  type OutputStream,
  type ProcessOptions,
  type ProcessResult,
  type SpawnError,
} from './process-run';

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

/**
 * Starts a process in its own session and follows it to its end.
 *
 * A run that ends by its time limit or by `end` leaves no processes behind, neither in its group nor, with `marker`, outside of it.
 * A run that ends on its own leaves its background processes alone.
 */
export function startProcess(options: ProcessOptions): ChildRun {
  const spawned = spawnChild(options);
  if ('child' in spawned) return new Run(spawned.child, options);
  const empty = new OutputCapture(0).finish();
  const nothing = { exitCode: null, signal: null, stdout: empty, stderr: empty, survivors: [] };
  const result = spawned.failure.then((spawnError) => ({ ...nothing, cause: 'spawn-error' as const, spawnError }));
  return { identity: undefined, channels: [], result, end: () => undefined };
}

/** The options of a run whose process is already started. */
export type FollowProcessOptions = Pick<
  ProcessOptions,
  'timeoutMs' | 'graceMs' | 'maxOutputBytes' | 'marker' | 'elevation' | 'onOutput'
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
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => this.#end('timeout'), limit);
    const exit = await this.#child.exited.catch(() => this.#lose());
    clearTimeout(timer);
    this.#cause ??= exit.signal === null ? 'exit' : 'signal';
    await this.#ending;
    await awaitOutput(pumps);
    return this.#finish(exit, this.#cause, (await this.#ending) ?? []);
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
  }

  #pump(name: OutputStream): OutputPump {
    const { onOutput } = this.#options;
    return pumpOutput(this.#child[name], (chunk) => {
      this.#captures[name].add(chunk);
      return onOutput && this.#deliver(() => onOutput(name, chunk));
    });
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
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly channels?: readonly Duplex[];
  /** Rejects if the exit status cannot be known. */
  readonly exited: Promise<Exit>;
}

type Spawned = { readonly child: FollowedProcess } | { readonly failure: Promise<SpawnError> };

const FIRST_CHANNEL = 3;

/** Starts the child in its own session. A failure to start is a value, never an exception. */
function spawnChild(options: ProcessOptions): Spawned {
  const pipes = openPipes();
  try {
    const child = spawnWith(options, pipes);
    if (child.pid !== undefined) return { child: watch(child, pipes) };
    pipes?.forEach(discardOutputPipe);
    return { failure: spawnFailure(child, options) };
  } catch (thrown) {
    // Node.js throws for arguments that are too long or contain invalid bytes; other failures are events.
    pipes?.forEach(discardOutputPipe);
    return { failure: Promise.resolve(explain(thrown, options)) };
  }
}

function openPipes(): readonly [OutputPipe, OutputPipe] | undefined {
  const stdout = openOutputPipe();
  if (stdout === undefined) return undefined;
  const stderr = openOutputPipe();
  if (stderr !== undefined) return [stdout, stderr];
  discardOutputPipe(stdout);
  return undefined;
}

function spawnWith(options: ProcessOptions, pipes: readonly [OutputPipe, OutputPipe] | undefined): ChildProcess {
  const [file, args] = programWords(options);
  const [stdout, stderr] = pipes?.map((pipe) => pipe.writeFd) ?? [];
  const channels = Array.from({ length: options.channels ?? 0 }, () => 'pipe' as const);
  const child = spawn(file, args, {
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    env: environmentOf(options),
    detached: true,
    stdio: [options.stdin === undefined ? 'ignore' : 'pipe', stdout ?? 'pipe', stderr ?? 'pipe', ...channels],
  });
  // A child may close its input without reading it.
  child.stdin?.on('error', () => undefined).end(options.stdin);
  return child;
}

/** The environment of the child. */
export const environmentOf = ({ env = process.env, marker }: Pick<ProcessOptions, 'env' | 'marker'>) => ({
  ...env,
  ...(marker && { [marker.name]: marker.value }),
});

function watch(child: ChildProcess, pipes: readonly [OutputPipe, OutputPipe] | undefined): FollowedProcess {
  const exited = deferred<Exit>();
  child.once('exit', (exitCode, signal) => exited.resolve({ exitCode, signal }));
  child.on('error', () => undefined);
  pipes?.forEach((pipe) => closeSync(pipe.writeFd));
  const [stdout, stderr] = pipes?.map((pipe) => pipe.reader) ?? [];
  return {
    identity: processIdentity(child.pid!),
    stdout: stdout ?? child.stdout!,
    stderr: stderr ?? child.stderr!,
    channels: child.stdio.slice(FIRST_CHANNEL) as Duplex[],
    exited: exited.promise,
  };
}

function spawnFailure(child: ChildProcess, options: ProcessOptions): Promise<SpawnError> {
  const failure = deferred<SpawnError>();
  child.once('error', (thrown) => failure.resolve(explain(thrown, options)));
  return failure.promise;
}

/** The system reports an invalid working directory like an invalid program. This tells the two apart. */
function explain(thrown: unknown, options: ProcessOptions): SpawnError {
  const cwdError = options.cwd === undefined ? undefined : directoryError(options.cwd);
  return cwdError ?? spawnError(thrown, programWords(options)[0]);
}

function directoryError(path: string): SpawnError | undefined {
  try {
    return statSync(path).isDirectory() ? undefined : { code: 'ENOTDIR', path, message: `Not a directory: '${path}'` };
  } catch (thrown) {
    return spawnError(thrown, path);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'No such file or directory',
  EACCES: 'Permission denied',
  E2BIG: 'Argument list too long',
};

function spawnError(thrown: unknown, path: string): SpawnError {
  const { code = 'UNKNOWN', message } = thrown as NodeJS.ErrnoException;
  const reason = REASONS[code];
  return { code, path, message: reason === undefined ? message : `${reason}: '${path}'` };
}
