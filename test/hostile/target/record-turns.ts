// Loaded into each process of the system before its program: writes a line for each long turn of the event loop into a file, with the
// processor time that the main thread has used in it. Unlike the delay of a response, it does not depend on other programs.
import { openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { RECORDED_FROM_MS, TURNS_DIRECTORY } from './turns';

const directory = process.env[TURNS_DIRECTORY];
if (isMainThread && directory !== undefined) record(directory);

function record(directory: string): void {
  const spent = openSpentMs();
  if (!spent) return;
  const file = openSync(join(directory, String(process.pid)), 'a', 0o600);
  let before = spent();
  // An immediate without a reference runs once per turn, and does not keep the loop turning.
  const next = () => void setImmediate(measure).unref();
  const measure = () => {
    const now = spent();
    if (now - before >= RECORDED_FROM_MS) writeSync(file, `${Date.now()} ${(now - before).toFixed(1)}\n`);
    before = now;
    next();
  };
  next();
}

/** Reads the processor time of the main thread from the scheduler of Linux. Undefined on other systems. */
function openSpentMs(): (() => number) | undefined {
  const NANOSECONDS = 1e6;
  try {
    const file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
    const bytes = Buffer.alloc(64);
    return () =>
      Number.parseInt(bytes.toString('latin1', 0, readSync(file, bytes, 0, bytes.length, 0)), 10) / NANOSECONDS;
  } catch {
    return undefined;
  }
}
