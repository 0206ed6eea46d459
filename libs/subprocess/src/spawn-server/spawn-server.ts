import { closeSync } from 'node:fs';
import { deferred, KIB, type Deferred } from '@switchyard/base';
import { killMarked } from '../end-process-group';
import { PipeEnd } from '../pipe-end';
import { addPipes, countPipes, takePipes } from '../process-output';
import { bootId, isDead, processIdentity, readProcEntry, type ProcessIdentity } from '../proc-entry';
import { exitOfStatus, type Exit, type FollowedProcess, type ProcessOptions } from '../process-run';
import { encodeOpened, encodePipes, encodeStart, ServerProcess, type FromSpawnServer } from './server-process';

export interface SpawnServerLimits {
  /** How long it may take to start. */
  readonly readyMs: number;
  /** After this time without a response it gets no further requests. */
  readonly silentMs: number;
  /** After this time without a response it is killed, or after twice `silentMs` if it has no processes. */
  readonly answerMs: number;
  /** How often to check for silence, idleness, and ended processes that it has not reported. */
  readonly lookMs: number;
  /** It exits after this time without a process. */
  readonly idleMs: number;
}

/** `not-started`: nothing has run or ever will. `lost`: the process may have run, and is dead. */
export type SpawnOutcome = FollowedProcess | 'not-started' | 'lost';

const LONGEST_FRAME = 256 * KIB;
/** Less than the capacity of a pipe. */
const LONGEST_INPUT = 32 * KIB;
const PIPES = 64;
const FEW_PIPES = 32;
/** Others that wait for the same pipes may take them first. */
const MOST_REFILLS = 5;

interface Asked {
  readonly readers: readonly [number, number];
  readonly outcome: Deferred<SpawnOutcome>;
  hasBegun: boolean;
}

interface Running {
  readonly identity: ProcessIdentity;
  readonly exited: Deferred<Exit>;
  /** It was dead at the last check, but not reported. */
  isSuspect: boolean;
}

/**
 * A small process that starts others (`python/spawn_server.py`).
 *
 * 1. A request is sent to only one server until that server is dead. It announces each start. So if it dies, a request
 *    that it has not announced has not run and can be started directly, and any other is lost.
 * 2. If it dies, the exit statuses of its processes can no longer be known, so these processes are ended.
 * 3. If it hangs, it is continued in case it was stopped, and gets no further requests. The exit statuses of its
 *    processes are read from /proc. It is killed if it does not respond for long; then 1 and 2 apply. 4. If this
 *    process dies, the connection closes and the server exits without starting anything. See also
 *    `endOrphanedSpawnServers`.
 */
export class SpawnServer {
  /** Whether it can be used. Settles once. */
  readonly ready: Promise<boolean>;
  /** Settles when the process is gone and all requests are decided. */
  readonly gone: Promise<void>;
  readonly #limits: SpawnServerLimits;
  readonly #process: ServerProcess;
  readonly #user = userIds();
  readonly #bootId = bootId();
  readonly #ready = deferred<boolean>();
  readonly #asked = new Map<number, Asked>();
  readonly #running = new Map<number, Running>();
  #refill: Deferred<void> | undefined;
  #lastId = 0;
  #isUp = false;
  #isGone = false;
  #isRetired = false;
  #failure: string | undefined;
  /** When the last message arrived, or when the first unanswered request was sent. */
  #heardMs = performance.now();
  #idleSinceMs = performance.now();

  /** @throws Error without free descriptors */
  constructor(python: string, limits: SpawnServerLimits) {
    this.#limits = limits;
    this.ready = this.#ready.promise;
    this.#process = new ServerProcess(python, (messages) => this.#take(messages));
    this.gone = this.#follow();
    this.#keepAlive();
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Whether it accepts requests. */
  get isOpen(): boolean {
    return this.#isUp && !this.#isGone && !this.#isRetired && !this.#isSilent();
  }

  /** Why it has ended, if that was not intended. */
  get failure(): string | undefined {
    return this.#failure;
  }

  static accepts({ channels = 0, marker, stdin }: ProcessOptions): boolean {
    return channels === 0 && marker !== undefined && Buffer.byteLength(stdin ?? '') <= LONGEST_INPUT;
  }

  /** Never rejects. */
  async start(options: ProcessOptions): Promise<SpawnOutcome> {
    const [stdout, stderr] = (await this.takePipes(2)) ?? [];
    if (stdout === undefined || stderr === undefined) return 'not-started';
    const readers = [stdout, stderr] as const;
    const outcome = await this.#ask(readers, options);
    if (outcome === 'not-started') readers.forEach((fd) => closeSync(fd));
    if (outcome === 'lost' && options.marker !== undefined) await killMarked(options.marker);
    return outcome;
  }

  /** Takes the reading ends of pipes, and creates more in time. @returns undefined if it cannot create enough */
  async takePipes(count: number): Promise<number[] | undefined> {
    for (let tries = 0; tries < MOST_REFILLS; tries++) {
      if (countPipes() < FEW_PIPES && this.#refill === undefined && this.isOpen) {
        this.#send(encodePipes(PIPES));
        this.#refill = deferred();
      }
      if (countPipes() >= count || this.#refill === undefined) break;
      await this.#refill.promise;
    }
    return takePipes(count);
  }

  /** Accepts no further requests and exits after its last process. */
  retire(): void {
    this.#isRetired = true;
    if (this.#isIdle()) this.#process.end();
  }

  kill(reason: string): void {
    this.#failure ??= reason;
    this.#collectZombies();
    this.#process.kill();
  }

  async #ask(readers: readonly [number, number], options: ProcessOptions): Promise<SpawnOutcome> {
    const id = ++this.#lastId;
    const frame = frameOf(id, readers, options);
    if (!this.isOpen || frame === undefined || userIds() !== this.#user) return 'not-started';
    const asked: Asked = { readers, outcome: deferred(), hasBegun: false };
    this.#send(frame);
    this.#asked.set(id, asked);
    this.#keepAlive();
    return asked.outcome.promise;
  }

  #send(frame: Buffer): void {
    if (!this.#isWaiting()) this.#heardMs = performance.now();
    this.#process.send(frame);
  }

  async #follow(): Promise<void> {
    const { lookMs, readyMs } = this.#limits;
    // After a long turn of this process, pending messages are read first, so that they do not count as missing.
    const looking = setInterval(() => setImmediate(() => this.#look()), lookMs).unref();
    const late = setTimeout(() => setImmediate(() => this.#onLate()), readyMs).unref();
    void this.ready.then(() => clearTimeout(late));
    const reason = await this.#process.ended;
    clearInterval(looking);
    this.#isGone = true;
    if (!this.#isRetired) this.#failure ??= reason;
    this.#decideAll();
  }

  #onLate(): void {
    if (!this.#isUp) this.kill('The spawn server did not start in time.');
  }

  /** Rules 1 and 2. */
  #decideAll(): void {
    this.#ready.resolve(false);
    this.#refill?.resolve();
    for (const { outcome, hasBegun } of this.#asked.values()) outcome.resolve(hasBegun ? 'lost' : 'not-started');
    for (const { exited } of this.#running.values()) exited.reject(new Error(this.#failure));
    this.#asked.clear();
    this.#running.clear();
  }

  #take(messages: readonly FromSpawnServer[]): void {
    this.#heardMs = performance.now();
    for (const message of messages) this.#on(message);
  }

  #on(message: FromSpawnServer): void {
    if (message.type === 'ready') {
      this.#isUp = true;
      return this.#ready.resolve(true);
    }
    if (message.type === 'pipes') return this.#openPipes(message.readers);
    const asked = this.#asked.get(message.id);
    if (message.type === 'begins' && asked) asked.hasBegun = true;
    else if (message.type === 'started' && asked) this.#onStarted(message, asked);
    else if (message.type === 'refused' && asked) this.#decide(message.id, asked, 'not-started');
    else if (message.type === 'exited') this.#onExit(message.id, exitOfStatus(message.status));
  }

  #onStarted({ id, pid, startTime }: Extract<FromSpawnServer, { type: 'started' }>, asked: Asked): void {
    const identity = startTime === undefined ? processIdentity(pid) : { pid, startTime, bootId: this.#bootId };
    const exited = deferred<Exit>();
    // The code that follows the process handles a rejection.
    exited.promise.catch(() => undefined);
    this.#running.set(id, { identity, exited, isSuspect: false });
    const [stdout, stderr] = asked.readers;
    this.#decide(id, asked, {
      identity,
      stdout: new PipeEnd(stdout),
      stderr: new PipeEnd(stderr),
      exited: exited.promise,
    });
  }

  #decide(id: number, { outcome }: Asked, decision: SpawnOutcome): void {
    this.#asked.delete(id);
    outcome.resolve(decision);
    this.#keepAlive();
  }

  #onExit(id: number, exit: Exit): void {
    this.#running.get(id)?.exited.resolve(exit);
    this.#running.delete(id);
    this.#keepAlive();
  }

  #openPipes(readers: readonly number[]): void {
    addPipes(readers.map((fd) => `/proc/${this.pid}/fd/${fd}`));
    this.#send(encodeOpened());
    this.#refill?.resolve();
    this.#refill = undefined;
    this.#keepAlive();
  }

  /** It keeps this process alive while something depends on it. */
  #keepAlive(): void {
    const isIdle = this.#isIdle();
    this.#process.await(!isIdle);
    if (!isIdle) return;
    this.#idleSinceMs = performance.now();
    if (this.#isRetired) this.#process.end();
  }

  #isIdle = (): boolean => this.#running.size === 0 && !this.#isWaiting();
  #isWaiting = (): boolean => !this.#isUp || this.#asked.size > 0 || this.#refill !== undefined;
  #isSilent = (): boolean => this.#isWaiting() && performance.now() - this.#heardMs > this.#limits.silentMs;

  #look(): void {
    const now = performance.now();
    const { silentMs, answerMs, idleMs } = this.#limits;
    if (this.#isIdle()) {
      const idle = now - this.#idleSinceMs;
      if (this.#isRetired && idle > silentMs) this.#process.kill();
      else if (idle >= idleMs) this.retire();
      return;
    }
    const limitMs = this.#running.size === 0 ? Math.min(2 * silentMs, answerMs) : answerMs;
    if (this.#isUp && this.#isWaiting() && now - this.#heardMs > limitMs)
      return this.kill('The spawn server did not respond.');
    if (this.#isSilent()) {
      this.#process.continue();
      this.#refill?.resolve();
    }
    this.#collectSuspects();
  }

  /** A process that was dead in two consecutive checks should have been reported in between. */
  #collectSuspects(): void {
    for (const [id, running] of [...this.#running]) {
      const entry = readProcEntry(running.identity.pid);
      const isOver = entry === undefined || isDead(entry) || entry.startTime !== running.identity.startTime;
      if (isOver && running.isSuspect) this.#collect(id, running);
      running.isSuspect = isOver;
    }
  }

  /** Reads the exit status of a zombie. The server gets no further requests. */
  #collect(id: number, { identity, exited }: Running): void {
    this.#isRetired = true;
    const entry = readProcEntry(identity.pid);
    if (entry?.startTime === identity.startTime) return this.#onExit(id, exitOfStatus(entry.exitStatus));
    exited.reject(new Error('The spawn server did not report the end of the process.'));
    this.#running.delete(id);
  }

  #collectZombies(): void {
    for (const [id, running] of [...this.#running]) {
      const entry = readProcEntry(running.identity.pid);
      if (entry !== undefined && isDead(entry)) this.#collect(id, running);
    }
  }
}

/** A server runs with the rights that this process had when it started. */
const userIds = (): string => `${process.geteuid?.()}:${process.getegid?.()}`;

/** @returns undefined for processes that the server cannot start */
function frameOf(id: number, readers: readonly [number, number], options: ProcessOptions): Buffer | undefined {
  try {
    const frame = encodeStart(id, readers, options);
    return frame.length <= LONGEST_FRAME ? frame : undefined;
  } catch {
    // For example, if the working directory does not exist.
    return undefined;
  }
}
