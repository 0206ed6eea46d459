import { openSync, readSync } from 'node:fs';

/** What the scheduler of Linux has counted for the main thread of a process, in milliseconds. */
export interface ThreadTimes {
  /** On a processor. */
  readonly ranMs: number;
  /** Ready to run, while other threads had the processors. */
  readonly waitedMs: number;
}

const NANOSECONDS = 1e6;

/** @returns how to read the times; undefined on other systems, or if there is no such process */
export function openThreadTimes(pid: number): (() => ThreadTimes) | undefined {
  try {
    const file = openSync(`/proc/${pid}/task/${pid}/schedstat`, 'r');
    const bytes = Buffer.alloc(128);
    const read = (): ThreadTimes => {
      const [ran = 0, waited = 0] = bytes
        .toString('latin1', 0, readSync(file, bytes, 0, bytes.length, 0))
        .split(' ', 2)
        .map(Number);
      return { ranMs: ran / NANOSECONDS, waitedMs: waited / NANOSECONDS };
    };
    read();
    return read;
  } catch {
    return undefined;
  }
}
