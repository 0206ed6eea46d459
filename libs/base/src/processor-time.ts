import { openSync, readFileSync, readlinkSync, readSync } from 'node:fs';

/*
 * Processor time of a thread, in milliseconds. Time while other threads hold the processor does not count, so limits
 * mean the same on a busy machine. Available on Linux only.
 */

const NANOSECONDS_PER_MS = 1e6;
const SPACE = 0x20;

/** The operating system's id of the calling thread. @returns undefined if unknown */
export function threadId(): number | undefined {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  } catch {
    return undefined;
  }
}

const OWN_STATISTICS = '/proc/thread-self/schedstat';

/**
 * A processor clock for the calling thread; each call costs some microseconds.
 * @param statistics the file to read
 * @returns undefined if the file is missing or stays at zero: a kernel may be built without these statistics
 */
export function ownProcessorClock(statistics = OWN_STATISTICS): (() => number) | undefined {
  try {
    // Stays open until the thread ends.
    const file = openSync(statistics, 'r');
    const buffer = Buffer.alloc(64);
    const clock = () => {
      readSync(file, buffer, 0, buffer.length, 0);
      return milliseconds(buffer);
    };
    // A running thread must have used processor time.
    return clock() > 0 ? clock : undefined;
  } catch {
    return undefined;
  }
}

/** The processor time of a thread of this process. @returns undefined if unknown, or if the thread has ended */
export function processorMsOf(thread: number | undefined): number | undefined {
  if (thread === undefined) return undefined;
  try {
    return milliseconds(readFileSync(`/proc/self/task/${thread}/schedstat`)) || undefined;
  } catch {
    return undefined;
  }
}

/** The first number is the processor time in nanoseconds. */
const milliseconds = (text: Buffer): number =>
  Number(text.toString('latin1', 0, text.indexOf(SPACE))) / NANOSECONDS_PER_MS;
