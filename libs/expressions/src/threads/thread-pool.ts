import { fault, SECOND_MS } from '@switchyard/base';
import { Thread } from './thread';

/** Two, so that one long evaluation does not block all others. */
const MOST_THREADS = 2;
/** Most callers that wait for a thread; more are refused. */
const MOST_WAITING = 10_000;
const IDLE_MS = 30 * SECOND_MS;

type Waiting = (thread: Thread) => void;

/** Starts threads on demand, lends each to one evaluation at a time, and ends idle threads after a while. */
export class ThreadPool {
  private readonly free: Thread[] = [];
  private readonly waiting: Waiting[] = [];
  private lent = 0;
  private idle: NodeJS.Timeout | undefined;

  constructor(private readonly create = () => new Thread()) {}

  /** @throws fault `expression.busy` */
  async borrow(): Promise<Thread> {
    const thread = this.free.pop();
    if (thread === undefined && this.lent >= MOST_THREADS) return this.queued();
    this.lent += 1;
    return thread?.isAlive === true ? thread : this.started();
  }

  giveBack(thread: Thread): void {
    const next = this.waiting.shift();
    if (next !== undefined) {
      if (thread.isAlive) next(thread);
      else void this.started().then(next);
      return;
    }
    this.lent -= 1;
    if (thread.isAlive) this.free.push(thread);
    clearTimeout(this.idle);
    this.idle = setTimeout(() => this.endFree(), IDLE_MS);
    this.idle.unref();
  }

  private queued(): Promise<Thread> {
    if (this.waiting.length >= MOST_WAITING) throw fault('expression.busy');
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** A thread that fails to start reports it on first use. */
  private async started(): Promise<Thread> {
    const thread = this.create();
    await thread.ready();
    return thread;
  }

  private endFree(): void {
    for (const thread of this.free.splice(0)) thread.end();
  }
}

export const threadPool = new ThreadPool();
