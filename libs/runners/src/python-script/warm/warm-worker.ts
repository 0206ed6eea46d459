import type { Duplex } from 'node:stream';
import { deferred, messageOf, newId, type Deferred } from '@switchyard/base';
import { exitOfStatus, isRunning, killMarked, startProcess, type ChildRun, type Exit } from '@switchyard/subprocess';
import { EXECUTION_MARKER } from '../../run-process';
import { type ProgramCommand, servicePythonPath } from '../python-environment';
import { encodeFrame, MessageReader, type FromWorker, type RunHead } from './worker-messages';

/** A process forked by a worker for a run. It may be running code of its pack. */
export interface BegunRun {
  readonly pid: number;
  readonly startTime: string;
  /** Rejects when the worker has exited, because the exit status can then no longer be known. */
  readonly exited: Promise<Exit>;
}

interface Entry {
  readonly begun: Deferred<BegunRun>;
  readonly exited: Deferred<Exit>;
  process?: { readonly pid: number; readonly startTime: string };
}

export interface EnvironmentChanges {
  readonly environment: Readonly<Record<string, string>>;
  readonly unset: readonly string[];
}

export interface WorkerLimits {
  /** Time limit for a run to begin. Usually takes milliseconds, but starting an interpreter on a loaded machine is slow. */
  readonly beginMs: number;
  /** How often to check for processes that ended without a report from the worker. */
  readonly lookMs: number;
}

/** Room for the execution id in the environment of a worker. */
const MARKER_ROOM = 64;
const LOG_BYTES = 10_000;

/**
 * A Python interpreter that forks a process for each run (`python/st2common/runners/warm_worker.py`).
 *
 * 1. A run has begun when its process reports it, which is its last message. A process without that report, once worker and
 *    connection are gone, has run nothing of its pack, so the run can safely be started elsewhere.
 * 2. When a worker exits, its runs continue, but their exit status can no longer be known.
 * 3. An unresponsive worker is killed; then 1 and 2 apply.
 * 4. When this process dies, the connection closes and the worker exits. Its runs are found by their marker.
 */
export class WarmWorker {
  /** Settles when the process is gone and every run was informed. */
  readonly gone: Promise<void>;
  readonly #process: ChildRun;
  readonly #channel: Duplex | undefined;
  readonly #marker = { name: EXECUTION_MARKER, value: `worker-${newId()}`.padEnd(MARKER_ROOM, '-') };
  readonly #runs = new Map<number, Entry>();
  readonly #reader = new MessageReader();
  readonly #limits: WorkerLimits;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #onIdle: () => void;
  #lastId = 0;
  #reason = 'The warm worker has ended.';
  #isOpen = true;
  #isRetired = false;
  #hasRefused = false;
  #looking: NodeJS.Timeout | undefined;
  #suspects: ReadonlySet<number> = new Set();

  /** @param onIdle called whenever the last run has ended */
  constructor(
    command: ProgramCommand,
    environment: Readonly<Record<string, string>>,
    limits: WorkerLimits,
    onIdle: () => void,
  ) {
    this.#limits = limits;
    this.#onIdle = onIdle;
    this.#environment = { ...environment, PYTHONPATH: servicePythonPath(environment) };
    this.#process = startProcess({
      command,
      env: this.#environment,
      marker: this.#marker,
      channels: 1,
      maxOutputBytes: LOG_BYTES,
    });
    [this.#channel] = this.#process.channels;
    const closed = deferred();
    this.#channel?.on('data', (chunk: Buffer) => this.#take(chunk));
    this.#channel?.on('error', () => this.#channel?.destroy());
    this.#channel?.once('close', () => closed.resolve());
    this.gone = this.#follow(this.#channel === undefined ? Promise.resolve() : closed.promise);
  }

  /** Whether it accepts further runs. */
  get isOpen(): boolean {
    return this.#isOpen && !this.#isRetired;
  }

  /** Whether it has refused a run. Further runs should avoid it, so that they are not slowed down. */
  get hasRefused(): boolean {
    return this.#hasRefused;
  }

  get isIdle(): boolean {
    return this.#runs.size === 0;
  }

  /** Whether it can run an execution with this id. */
  static fits(marker: string): boolean {
    return marker.length <= MARKER_ROOM && /^[!-~]+$/.test(marker);
  }

  /** The variables of a run that differ from those of the worker. */
  changesTo(wanted: Readonly<Record<string, string | undefined>>): EnvironmentChanges {
    const own = this.#environment;
    const set = Object.entries(wanted).filter(([name, value]) => value !== undefined && value !== own[name]);
    return {
      environment: Object.fromEntries(set) as Record<string, string>,
      unset: Object.keys(own).filter((name) => wanted[name] === undefined),
    };
  }

  /**
   * Starts a run. The descriptors must stay open until this settles.
   * @throws Error with the reason why the run has not begun, and never will
   */
  async begin(run: Omit<RunHead, 'id' | 'owner'>, document: unknown): Promise<BegunRun> {
    if (!this.#isOpen || this.#channel === undefined) throw new Error(this.#reason);
    const id = ++this.#lastId;
    const entry: Entry = { begun: deferred(), exited: deferred() };
    // Only runs that have begun handle this rejection.
    entry.exited.promise.catch(() => undefined);
    this.#runs.set(id, entry);
    this.#looking ??= setInterval(() => this.#look(), this.#limits.lookMs).unref();
    const late = setTimeout(() => this.kill('The warm worker did not respond.'), this.#limits.beginMs);
    try {
      this.#channel.write(encodeFrame({ ...run, id, owner: process.pid }, document));
      return await entry.begun.promise;
    } finally {
      clearTimeout(late);
    }
  }

  /** Accepts no further runs and exits after the last one. */
  retire(): void {
    this.#isRetired = true;
    if (this.isIdle) this.#channel?.destroy();
  }

  kill(reason: string): void {
    this.#reason = reason;
    this.#process.end({ graceMs: 0 });
  }

  async #follow(closed: Promise<void>): Promise<void> {
    const { spawnError, stderr } = await this.#process.result;
    this.#isOpen = false;
    if (spawnError !== undefined) this.#reason = spawnError.message;
    else if (stderr.text !== '') this.#reason += ` ${stderr.text.trim()}`;
    clearInterval(this.#looking);
    // Kill forked processes that have not begun; the others close the connection themselves.
    if (spawnError === undefined) await killMarked(this.#marker).catch(() => []);
    await closed;
    for (const { begun, exited } of this.#runs.values()) {
      begun.reject(new Error(this.#reason));
      exited.reject(new Error(this.#reason));
    }
    this.#runs.clear();
  }

  #take(chunk: Buffer): void {
    try {
      for (const message of this.#reader.take(chunk)) this.#on(message);
    } catch (thrown) {
      this.kill(`The warm worker sent an invalid message: ${messageOf(thrown)}`);
    }
  }

  #on(message: FromWorker): void {
    if (message.type === 'ready') return;
    if (message.type === 'unable') {
      this.#reason = `No warm worker is possible: ${message.reason}`;
      return;
    }
    const entry = this.#runs.get(message.id);
    if (entry === undefined) return;
    if (message.type === 'started') {
      entry.process = { pid: message.pid, startTime: message.start_time };
      entry.begun.resolve({ ...entry.process, exited: entry.exited.promise });
      return;
    }
    if (message.type === 'refused') this.#hasRefused = true;
    entry.begun.reject(new Error(message.type === 'refused' ? message.reason : 'The process ended before it began.'));
    if (message.type === 'exited') entry.exited.resolve(exitOfStatus(message.status));
    this.#forget(message.id);
  }

  #forget(id: number): void {
    this.#runs.delete(id);
    if (!this.isIdle) return;
    clearInterval(this.#looking);
    this.#looking = undefined;
    if (this.#isRetired) this.#channel?.destroy();
    else this.#onIdle();
  }

  /** A process that was gone in two consecutive checks should have been reported by now. */
  #look(): void {
    const over = [...this.#runs].filter(([, { process }]) => process !== undefined && !isRunning(process));
    const ids = over.map(([id]) => id);
    if (ids.some((id) => this.#suspects.has(id))) this.kill('The warm worker did not report the end of a run.');
    this.#suspects = new Set(ids);
  }
}
