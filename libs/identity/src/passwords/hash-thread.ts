import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { deferred, fault, type Deferred } from '@switchyard/base';
import type { HashKind } from './password-hash';

/** So many checks may wait; more are refused, so that a flood of logins cannot fill the memory. */
const MOST_WAITING = 64;

interface Answer {
  readonly id: number;
  readonly matches?: boolean;
  readonly error?: string;
}

/** One thread for slow hashes, started with the first check. It keeps no process alive while it has nothing to do. */
export interface HashThread {
  /** @throws Fault `auth.busy` when too many checks are waiting */
  matches(kind: HashKind, password: string, hash: string): Promise<boolean>;
  close(): Promise<void>;
}

export function hashThread(): HashThread {
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
    fresh.on('exit', () => end(fresh, 'the hash thread has ended'));
    return fresh;
  };
  return {
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
