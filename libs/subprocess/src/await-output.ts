import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import type { OutputPump } from './output-pump';

/** So long after its end a process's output is waited for. */
export const SETTLE_MS = 300;
/** A slow receiver gets the time again, so often: what a process left in the pipe is at most a few chunks. */
const SETTLE_ROUNDS = 10;

/**
 * Waits for the end of the output of a process that has ended. Normally that is at once. Something that it left running
 * in the background may keep the pipe open for ever: after a moment nobody listens to it any more, and it is left alone.
 */
export async function awaitOutput(pumps: readonly OutputPump[], settleMs = SETTLE_MS): Promise<void> {
  const finished = Promise.all(pumps.map((pump) => pump.finished)).then(() => true);
  for (let round = 0; round < SETTLE_ROUNDS; round++) {
    if (await within(finished, settleMs)) return;
    if (!pumps.some((pump) => pump.isBusy())) break;
    await Promise.all(pumps.map((pump) => pump.idle()));
  }
  for (const pump of pumps) pump.abandon();
  await finished;
}

/**
 * Where this process itself was busy for all that time, timers come before what could be read meanwhile: that is read in
 * the first turn of the event loop, and the stream closes in the second.
 */
async function within(done: Promise<boolean>, limitMs: number): Promise<boolean> {
  const timer = new AbortController();
  const late = delay(limitMs, undefined, { signal: timer.signal })
    .then(() => turn())
    .then(() => turn(false))
    .catch(() => false);
  const result = await Promise.race([done, late]);
  timer.abort();
  return result;
}
