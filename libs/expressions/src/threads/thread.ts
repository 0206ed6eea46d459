import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import { deferred, type Deferred } from '@switchyard/base';
import type { Answer, FromThread, Job } from './messages';
import { ofThisRealm } from './own-realm';

/** Beyond the time that an evaluation may take itself, for what it cannot be interrupted in. */
const GRACE_MS = 500;
const MOST_MEMORY_MB = 1_024;

export type Heard = FromThread | { readonly kind: 'overtime' } | { readonly kind: 'died'; readonly error: unknown };

/** What a thread gets at its start. */
export interface ThreadData {
  readonly answers: MessagePort;
  /** Counts the answers, so that the thread can wait for one. */
  readonly signal: Int32Array;
}

/**
 * A thread that evaluates one job after the other. Each message to it is followed by one from it: a question, or the outcome.
 * A thread that does not keep to the time is ended, and is of no use any more.
 */
export class Thread {
  private readonly worker: Worker;
  private readonly answers: MessagePort;
  private readonly signal = new Int32Array(new SharedArrayBuffer(4));
  private hearing: Deferred<Heard> | undefined;
  isAlive = true;

  constructor() {
    const { port1, port2 } = new MessageChannel();
    this.answers = port1;
    const workerData: ThreadData = { answers: port2, signal: this.signal };
    const resourceLimits = { maxOldGenerationSizeMb: MOST_MEMORY_MB };
    this.worker = new Worker(FILE, { workerData, transferList: [port2], resourceLimits, execArgv: [] });
    this.worker.on('message', (message: FromThread) => this.hear(message));
    this.worker.on('error', (error) => this.die({ kind: 'died', error }));
    this.worker.on('exit', () => this.die({ kind: 'died', error: new Error('The thread has ended.') }));
    this.worker.unref();
  }

  /** Until it has loaded what it needs. */
  ready(): Promise<Heard> {
    return this.next();
  }

  /** @throws DataCloneError for what cannot be sent */
  begin(job: Job, withinMs: number): Promise<Heard> {
    this.worker.postMessage(job);
    return this.next(withinMs);
  }

  /** @throws DataCloneError for what cannot be sent */
  reply(answer: Answer, withinMs: number): Promise<Heard> {
    this.answers.postMessage(answer);
    Atomics.add(this.signal, 0, 1);
    Atomics.notify(this.signal, 0);
    return this.next(withinMs);
  }

  end(): void {
    this.die({ kind: 'died', error: new Error('The thread was ended.') });
  }

  private async next(withinMs?: number): Promise<Heard> {
    if (!this.isAlive) return { kind: 'died', error: new Error('The thread has ended.') };
    const hearing = deferred<Heard>();
    this.hearing = hearing;
    // Only while somebody waits for it does the thread keep the process alive.
    this.worker.ref();
    const limit = withinMs === undefined ? undefined : setTimeout(() => this.die({ kind: 'overtime' }), withinMs + GRACE_MS); // prettier-ignore
    const heard = await hearing.promise;
    clearTimeout(limit);
    this.worker.unref();
    return heard;
  }

  private hear(message: FromThread): void {
    this.hearing?.resolve(ofThisRealm(message));
  }

  private die(reason: Heard): void {
    this.hearing?.resolve(reason);
    if (!this.isAlive) return;
    this.isAlive = false;
    this.answers.close();
    void this.worker.terminate();
  }
}

/** A thread loads JavaScript: where the sources run as they are, as in tests, it takes the build. */
const NAME = 'thread-main.js';
const BESIDE = join(__dirname, NAME);
const FILE = existsSync(BESIDE) ? BESIDE : join(__dirname, '..', '..', 'dist', 'threads', NAME);
