// Loaded into each process of the system before its program: writes a line for each long turn of the event loop into a file, with the
// processor time that the main thread has used in it. Unlike the delay of a response, it does not depend on other programs.
import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { openThreadTimes } from '../schedstat';
import { RECORDED_FROM_MS, TURNS_DIRECTORY } from './turns';

const directory = process.env[TURNS_DIRECTORY];
if (isMainThread && directory !== undefined) record(directory);

function record(directory: string): void {
  const times = openThreadTimes(process.pid);
  if (!times) return;
  const spent = () => times().ranMs;
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
  // The measurement of memory has just collected garbage, which is no work of the system.
  process.on('SIGUSR2', () => (before = spent()));
  next();
}
