import type { Duplex } from 'node:stream';
import { deferred, messageOf, newId, type Deferred } from '@switchyard/base';
import { isRunning, killMarked, startProcess, type ChildRun, type Exit } from '@switchyard/subprocess';
import { EXECUTION_MARKER } from '../../action-environment';
import type { ProgramCommand } from '../programs';
import { servicePythonPath } from '../python-environment';
import { encodeFrame, MessageReader, type FromWorker, type RunHead } from './worker-messages';
import { exitOf } from './wait-status';

/** A process that a worker has forked for a run. It may run code of its pack from now on. */
export interface BegunRun {
  readonly pid: number;
  readonly startTime: string;
  /** Rejects when the worker has ended: nobody knows any more how the process ends. */
  readonly exited: Promise<Exit>;
}

interface Entry {
  readonly begun: Deferred<BegunRun>;
  readonly exited: Deferred<Exit>;
  process?: { readonly pid: number; readonly startTime: string };
}

export interface WorkerLimits {
  /** A run has to begin within so long: milliseconds as a rule, but a loaded machine takes a while to start an interpreter. */
  readonly beginMs: number;
  /** How often to look whether processes have ended without a word from the worker. */
  readonly lookMs: number;
}

/** Longer ids than this have no room in the environment of a worker. */
const MARKER_ROOM = 64;
const LOG_BYTES = 10_000;

/**
 * A Python interpreter that forks a process for each run (`python/st2common/runners/warm_worker.py`).
 *
 * 1. A run has begun when its process says so, and that is the last thing it says: whoever has not said it by the time
 *    that worker and connection are gone, has run nothing of its pack. Such a run can safely be started elsewhere.
 * 2. A worker that ends takes nobody's end with it: runs under way learn that theirs cannot be known.
 * 3. A worker that does not answer is killed, and 1 and 2 apply.
 * 4. When this process dies, the connection ends, and with it the worker. Its runs are found by their marker.
 */
export class WarmWorker {
  /** Settles when the process is gone and every run knows its fate. */
  readonly gone: Promise<void>;
  readonly #process: ChildRun;
  readonly #channel: Duplex | undefined;
  readonly #marker = { name: EXECUTION_MARKER, value: `worker-${newId()}`.padEnd(MARKER_ROOM, '-') };
  readonly #runs = new Map<number, Entry>();
  readonly #reader = new MessageReader();
  readonly #limits: WorkerLimits;
  readonly #onIdle: () => void;
  #lastId = 0;
  #reason = 'The warm worker has ended.';
  #isOpen = true;
  #isRetired = false;
  #hasRefused = false;
  #looking: NodeJS.Timeout | undefined;
  #suspects: ReadonlySet<number> = new Set();

  /** @param onIdle is called whenever the last run has ended */
  constructor(
    command: ProgramCommand,
    environment: Readonly<Record<string, string>>,
    limits: WorkerLimits,
    onIdle: () => void,
  ) {
    this.#limits = limits;
    this.#onIdle = onIdle;
    this.#process = startProcess({
      command,
      env: { ...environment, PYTHONPATH: servicePythonPath(environment) },
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

  /** Whether it takes further runs. */
  get isOpen(): boolean {
    return this.#isOpen && !this.#isRetired;
  }

  /** Whether it was not able to do what it was asked for: the next run is not to be slowed down by the same. */
  get hasRefused(): boolean {
    return this.#hasRefused;
  }

  get isIdle(): boolean {
    return this.#runs.size === 0;
  }

  /** Whether it can run an execution of this id. */
  static fits(marker: string): boolean {
    return marker.length <= MARKER_ROOM && /^[!-~]+$/.test(marker);
  }

  /**
   * Hands a run over. The descriptors have to stay open until this settles.
   * @throws Error that says why the run has not begun, and never will
   */
  async begin(run: Omit<RunHead, 'id' | 'owner'>, document: unknown): Promise<BegunRun> {
    if (!this.#isOpen || this.#channel === undefined) throw new Error(this.#reason);
    const id = ++this.#lastId;
    const entry: Entry = { begun: deferred(), exited: deferred() };
    // Who has begun listens; nobody else is to be bothered.
    entry.exited.promise.catch(() => undefined);
    this.#runs.set(id, entry);
    this.#looking ??= setInterval(() => this.#look(), this.#limits.lookMs).unref();
    const late = setTimeout(() => this.kill('The warm worker did not answer.'), this.#limits.beginMs);
    try {
      this.#channel.write(encodeFrame({ ...run, id, owner: process.pid }, document));
      return await entry.begun.promise;
    } finally {
      clearTimeout(late);
    }
  }

  /** Takes no further runs, and ends with the last one. */
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
    // Those that it has forked and that have said nothing yet; who has got further closes the connection by itself.
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
      this.kill(`The warm worker cannot be understood: ${messageOf(thrown)}`);
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
    if (message.type === 'exited') entry.exited.resolve(exitOf(message.status));
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

  /** A process that was over at two looks in a row should have been reported long ago. */
  #look(): void {
    const over = [...this.#runs].filter(([, { process }]) => process !== undefined && !isRunning(process));
    const ids = over.map(([id]) => id);
    if (ids.some((id) => this.#suspects.has(id))) this.kill('The warm worker does not report ends.');
    this.#suspects = new Set(ids);
  }
}
