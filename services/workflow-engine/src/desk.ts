import { deferred, type Deferred } from '@switchyard/base';

/** Gives each run one turn at a time, with everything that has come in for it meanwhile. */
export interface Desk<N> {
  /** Resolves when the turn in which the run was told has ended; rejects with what ended it otherwise. */
  post(key: string, note: N): Promise<void>;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

interface Letter<N> {
  note: N;
  read: Deferred<void>;
}

export function createDesk<N>(take: (key: string, notes: readonly N[]) => Promise<void>): Desk<N> {
  const waiting = new Map<string, Letter<N>[]>();
  const working = new Map<string, Promise<void>>();

  async function work(key: string): Promise<void> {
    for (let letters = waiting.get(key); letters; letters = waiting.get(key)) {
      waiting.delete(key);
      try {
        await take(
          key,
          letters.map(({ note }) => note),
        );
        for (const { read } of letters) read.resolve();
      } catch (error) {
        for (const { read } of letters) read.reject(error);
      }
    }
    working.delete(key);
  }

  return {
    post(key, note) {
      const read = deferred();
      const letters = waiting.get(key);
      if (letters) letters.push({ note, read });
      else waiting.set(key, [{ note, read }]);
      if (!working.has(key))
        working.set(
          key,
          Promise.resolve().then(() => work(key)),
        );
      return read.promise;
    },
    async idle() {
      while (working.size > 0) await Promise.all(working.values());
    },
  };
}
