import { fault } from '@switchyard/base';
import { HASH_THREADS } from './hash-threads';

/** Limits per address and in total. Further logins are refused, so that a flood of logins cannot exhaust memory. */
const MOST_OF_ADDRESS = 32;
const MOST_WAITING = 1024;
/** Each hash thread does one check at a time; one more check is ready to start. */
const MOST_AT_ONCE = HASH_THREADS + 1;

/** Queues logins for their password check. Addresses take turns, so that a flood from one does not delay the others. */
export interface LoginQueue {
  /** @throws Fault `auth.busy` when the queue is full, and whatever `check` rejects with */
  run<T>(address: string, check: () => Promise<T>): Promise<T>;
}

export function loginQueue(): LoginQueue {
  /** In the order of their turns. */
  const waiting = new Map<string, (() => void)[]>();
  let total = 0;
  let running = 0;
  const next = () => {
    const [turn] = waiting;
    if (!turn || running >= MOST_AT_ONCE) return;
    const [address, [start, ...rest]] = turn;
    waiting.delete(address);
    if (rest.length > 0) waiting.set(address, rest);
    total -= 1;
    running += 1;
    start?.();
  };
  const enter = (address: string) =>
    new Promise<void>((resolve, reject) => {
      const others = waiting.get(address) ?? [];
      if (others.length >= MOST_OF_ADDRESS || total >= MOST_WAITING) return reject(fault('auth.busy'));
      waiting.set(address, [...others, resolve]);
      total += 1;
      next();
    });
  return {
    async run(address, check) {
      await enter(address);
      try {
        return await check();
      } finally {
        running -= 1;
        next();
      }
    },
  };
}
