import type { Duplex, Readable } from 'node:stream';
import { MIB } from '@switchyard/base';
import { endDescendants } from './end-descendants';
import type { ProcessIdentity } from './proc-entry';
import { OutputCapture, awaitOutput, pumpOutput, type OutputPump } from './process-output';
import type { EndCause, Exit, OutputStream, ProcessOptions, ProcessResult } from './process-run';

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
