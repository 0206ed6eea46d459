import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { deferred, fault, type Deferred } from '@switchyard/base';
import { BCRYPT_ROUNDS, type HashKind } from './password-hash';

/** Further checks are refused, so that a flood of logins cannot exhaust memory. */
const MOST_WAITING = 64;

/** A check of a password, or the request for a hash. */
type HashWork =
  | { readonly kind: HashKind; readonly password: string; readonly hash: string }
  | { readonly password: string; readonly rounds: number };

interface Answer {
  readonly id: number;
  readonly result?: boolean | string;
  readonly error?: string;
}

/** Leaves one processor free; four threads are enough for a burst of logins. */
export const HASH_THREADS = Math.min(4, Math.max(1, availableParallelism() - 1));

/** Worker threads for slow hashes. Each starts on first use and does not keep the process alive while idle. */
export interface HashThreads {
  /** @throws Fault `auth.busy` when too many checks are waiting */
  matches(kind: HashKind, password: string, hash: string): Promise<boolean>;
  /** @returns a hash like those of `hashPassword` @throws as `matches` */
  hash(password: string): Promise<string>;
  close(): Promise<void>;
}

export function hashThreads(count = HASH_THREADS): HashThreads {
  const threads = Array.from({ length: count }, hashThread);
  const idlest = () => {
    const [first, ...others] = threads as [HashThread, ...HashThread[]];
    return others.reduce((found, each) => (each.waiting() < found.waiting() ? each : found), first);
  };
  return {
    matches: (kind, password, hash) => idlest().matches(kind, password, hash),
    hash: (password) => idlest().hash(password),
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
  const waiting = new Map<number, Deferred<boolean | string>>();
  const settle = ({ id, result, error }: Answer) => {
    const check = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) worker?.unref();
    if (error === undefined) check?.resolve(result ?? false);
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
  const ask = (work: HashWork) => {
    if (waiting.size >= MOST_WAITING) return Promise.reject(fault('auth.busy'));
    const check = deferred<boolean | string>();
    waiting.set(++lastId, check);
    worker ??= started();
    worker.ref();
    worker.postMessage({ id: lastId, ...work });
    return check.promise;
  };
  return {
    waiting: () => waiting.size,
    matches: async (kind, password, hash) => (await ask({ kind, password, hash })) === true,
    hash: async (password) => String(await ask({ password, rounds: BCRYPT_ROUNDS })),
    async close() {
      await worker?.terminate();
    },
  };
}
