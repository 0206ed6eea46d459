import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { deferred, fault, type Deferred } from '@switchyard/base';
import type { HashKind } from './password-hash';

/** Further checks are refused, so that a flood of logins cannot exhaust memory. */
const MOST_WAITING = 64;

interface Answer {
  readonly id: number;
  readonly matches?: boolean;
  readonly error?: string;
}

/** Leaves one processor free; four threads are enough for a burst of logins. */
export const HASH_THREADS = Math.min(4, Math.max(1, availableParallelism() - 1));

/** Worker threads for slow hashes. Each starts on first use and does not keep the process alive while idle. */
export interface HashThreads {
  /** @throws Fault `auth.busy` when too many checks are waiting */
  matches(kind: HashKind, password: string, hash: string): Promise<boolean>;
  close(): Promise<void>;
}

export function hashThreads(count = HASH_THREADS): HashThreads {
  const threads = Array.from({ length: count }, hashThread);
  return {
    matches(kind, password, hash) {
      const [first, ...others] = threads as [HashThread, ...HashThread[]];
      const least = others.reduce((found, each) => (each.waiting() < found.waiting() ? each : found), first);
      return least.matches(kind, password, hash);
    },
    close: async () => void (await Promise.all(threads.map((thread) => thread.close()))),
  };
}

interface HashThread extends HashThreads {
  /** Number of unanswered checks. */
  waiting(): number;
}

function hashThread(): HashThread {
  let worker: Worker | undefined;
  let lastId = 0;
  const waiting = new Map<number, Deferred<boolean>>();
  const settle = ({ id, matches, error }: Answer) => {
    const check = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) worker?.unref();
    if (error === undefined) check?.resolve(matches === true);
    else check?.reject(new Error(error));
  };
  const end = (ended: Worker, reason: unknown) => {
    if (worker !== ended) return;
    worker = undefined;
    for (const id of [...waiting.keys()]) settle({ id, error: String(reason) });
  };
  const started = () => {
    const fresh = new Worker(join(__dirname, 'hash-worker.mjs'));
    fresh.on('message', settle);
    fresh.on('error', (error) => end(fresh, error));
    fresh.on('exit', () => end(fresh, 'The hash thread exited.'));
    return fresh;
  };
  return {
    waiting: () => waiting.size,
    matches(kind, password, hash) {
      if (waiting.size >= MOST_WAITING) return Promise.reject(fault('auth.busy'));
      const check = deferred<boolean>();
      waiting.set(++lastId, check);
      worker ??= started();
      worker.ref();
      worker.postMessage({ id: lastId, kind, password, hash });
      return check.promise;
    },
    async close() {
      await worker?.terminate();
    },
  };
}
