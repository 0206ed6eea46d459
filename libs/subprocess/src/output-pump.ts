import type { Readable } from 'node:stream';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { deferred } from '@switchyard/base';

/** Passes the chunks of a stream to a receiver, which can slow it down. */
export interface OutputPump {
  /** Resolves when the stream is closed and the receiver has processed all chunks. */
  readonly finished: Promise<void>;
  /** Resolves when the receiver is idle. */
  idle(): Promise<void>;
  isBusy(): boolean;
  /** Stops reading. */
  abandon(): void;
}

/** @param receive pauses the stream while its promise is pending; it must not reject */
export function pumpOutput(stream: Readable, receive: (chunk: Buffer) => Promise<void> | undefined): OutputPump {
  const closed = deferred();
  let busy: Promise<void> | undefined;
  stream.on('data', (chunk: Buffer) => {
    const pending = receive(chunk);
    if (pending === undefined) return;
    stream.pause();
    busy = pending.then(() => {
      busy = undefined;
      stream.resume();
    });
  });
  stream.on('error', () => stream.destroy());
  stream.once('close', () => closed.resolve());
  return {
    finished: closed.promise.then(() => busy),
    idle: () => busy ?? Promise.resolve(),
    isBusy: () => busy !== undefined,
    abandon: () => stream.destroy(),
  };
}

/** How long to wait for the rest of the output after a process has ended. */
export const SETTLE_MS = 300;
/** A slow receiver gets that time repeatedly, up to this number, because a pipe holds a few chunks at most. */
const SETTLE_ROUNDS = 10;

/**
 * Waits for the end of the output of a process that has ended, which is normally immediate. A background process that it left running
 * may keep the pipe open forever. After a while its output is ignored, and it is left alone.
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
 * If this process was busy for all that time, the timer fires before pending data is read. The data is read in the first turn of the
 * event loop after it, and the stream closes in the second.
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
