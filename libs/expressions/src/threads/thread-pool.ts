import { fault, SECOND_MS } from '@switchyard/base';
import { Thread } from './thread';

/** Enough that one long evaluation does not hold up all others. */
const MOST_THREADS = 2;
/** Each piece of work waits for one evaluation at a time, and holds no copies meanwhile; more of them than this are refused. */
const MOST_WAITING = 10_000;
const IDLE_MS = 30 * SECOND_MS;

type Waiting = (thread: Thread) => void;

/** Threads that are started at need, lent to one evaluation at a time, and ended when nobody has needed them for a while. */
class ThreadPool {
  private readonly free: Thread[] = [];
  private readonly waiting: Waiting[] = [];
  private lent = 0;
  private idle: NodeJS.Timeout | undefined;

  /** @throws fault `expression.busy` */
  async borrow(): Promise<Thread> {
    const thread = this.free.pop();
    if (thread === undefined && this.lent >= MOST_THREADS) return this.queued();
    this.lent += 1;
    return thread?.isAlive === true ? thread : started();
  }

  giveBack(thread: Thread): void {
    const next = this.waiting.shift();
    if (next !== undefined) {
      if (thread.isAlive) next(thread);
      else void started().then(next);
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

  private endFree(): void {
    for (const thread of this.free.splice(0)) thread.end();
  }
}

/** One that does not come up says so when it is used. */
async function started(): Promise<Thread> {
  const thread = new Thread();
  await thread.ready();
  return thread;
}

export const threadPool = new ThreadPool();
