import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import { deferred, type Deferred, processorMsOf } from '@switchyard/base';
import type { HostAnswer, FromThread, Job } from './messages';

/** Time on top of the limit of the evaluation, for code that cannot be interrupted. */
const GRACE_MS = 500;
/** A thread without a processor is waited for at most this many times its time limit. */
const MOST_PATIENCE = 20;
const MOST_MEMORY_MB = 1_024;

export type ThreadMessage =
  | FromThread
  | { readonly kind: 'overtime' }
  | { readonly kind: 'died'; readonly error: unknown };

/** The data passed to a new thread. */
export interface ThreadData {
  readonly answers: MessagePort;
  /** Counts answers, so that the thread can wait for the next one. */
  readonly signal: Int32Array;
}

/**
 * A thread that runs one job after the other. It replies to each message with one message: a question or the outcome. A
 * thread that exceeds its time is terminated and cannot be used again.
 */
export class Thread {
  private readonly worker: Worker;
  private readonly answers: MessagePort;
  private readonly signal = new Int32Array(new SharedArrayBuffer(4));
  private hearing: Deferred<ThreadMessage> | undefined;
  private id: number | undefined;
  isAlive = true;

  constructor(mostMemoryMb = MOST_MEMORY_MB) {
    const { port1, port2 } = new MessageChannel();
    this.answers = port1;
    const workerData: ThreadData = { answers: port2, signal: this.signal };
    const resourceLimits = { maxOldGenerationSizeMb: mostMemoryMb };
    this.worker = new Worker(FILE, { workerData, transferList: [port2], resourceLimits, execArgv: [] });
    this.worker.on('message', (message: FromThread) => this.hear(message));
    this.worker.on('error', (error) => this.die({ kind: 'died', error }));
    this.worker.on('exit', () => this.die({ kind: 'died', error: new Error('The thread has stopped.') }));
    this.worker.unref();
  }

  /** Resolves when the thread has started. */
  async ready(): Promise<ThreadMessage> {
    const heard = await this.next();
    if (heard.kind === 'ready') this.id = heard.thread;
    return heard;
  }

  /** @throws DataCloneError for what cannot be sent */
  begin(job: Job, withinMs: number): Promise<ThreadMessage> {
    this.worker.postMessage(job);
    return this.next(withinMs);
  }

  /** @throws DataCloneError for what cannot be sent */
  reply(answer: HostAnswer, withinMs: number): Promise<ThreadMessage> {
    this.answers.postMessage(answer);
    Atomics.add(this.signal, 0, 1);
    Atomics.notify(this.signal, 0);
    return this.next(withinMs);
  }

  end(): void {
    this.die({ kind: 'died', error: new Error('The thread was terminated.') });
  }

  private async next(withinMs?: number): Promise<ThreadMessage> {
    if (!this.isAlive) return { kind: 'died', error: new Error('The thread has stopped.') };
    const hearing = deferred<ThreadMessage>();
    this.hearing = hearing;
    // Keep the process alive only while a caller waits for the thread.
    this.worker.ref();
    const stopWatching = withinMs === undefined ? undefined : this.watch(withinMs + GRACE_MS);
    const heard = await hearing.promise;
    stopWatching?.();
    this.worker.unref();
    return heard;
  }

  /** Terminates the thread when it has worked too long. Time without a processor does not count. */
  private watch(mostMs: number): () => void {
    const before = processorMsOf(this.id);
    const endMs = performance.now() + MOST_PATIENCE * mostMs;
    let timer: NodeJS.Timeout;
    const look = () => {
      const now = processorMsOf(this.id);
      const leftMs = before === undefined || now === undefined ? 0 : mostMs - (now - before);
      if (leftMs <= 0 || performance.now() >= endMs) this.die({ kind: 'overtime' });
      else timer = setTimeout(look, leftMs);
    };
    timer = setTimeout(look, mostMs);
    return () => clearTimeout(timer);
  }

  private hear(message: FromThread): void {
    this.hearing?.resolve(ofThisRealm(message));
  }

  private die(reason: ThreadMessage): void {
    this.hearing?.resolve(reason);
    if (!this.isAlive) return;
    this.isAlive = false;
    this.answers.close();
    void this.worker.terminate();
  }
}

/** Threads load JavaScript: when the TypeScript sources run directly, as in tests, the built file is used. */
const NAME = 'thread-main.js';
const BESIDE = join(__dirname, NAME);
const FILE = existsSync(BESIDE) ? BESIDE : join(__dirname, '..', '..', 'dist', 'threads', NAME);

/**
 * Gives data the prototypes of this realm. Data from a thread has those of the realm that Node.js started in, which
 * differs when code runs in its own context, as under a test runner. Otherwise returns the data unchanged.
 */
const ofThisRealm = <T>(data: T): T =>
  typeof data !== 'object' || data === null || data instanceof Object ? data : (copied(data, new Map()) as T);

/** Copies, keeping shared parts shared. */
function copied(data: unknown, copies: Map<object, unknown>): unknown {
  if (typeof data !== 'object' || data === null) return data;
  const known = copies.get(data);
  if (known !== undefined) return known;
  if (Array.isArray(data)) {
    const list: unknown[] = [];
    copies.set(data, list);
    for (const item of data) list.push(copied(item, copies));
    return list;
  }
  const record: Record<string, unknown> = {};
  copies.set(data, record);
  for (const [key, value] of Object.entries(data)) {
    Object.defineProperty(record, key, {
      value: copied(value, copies),
      ...{ enumerable: true, configurable: true, writable: true },
    });
  }
  return record;
}
