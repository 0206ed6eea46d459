import type { Readable } from 'node:stream';
import { deferred } from '@switchyard/base';

/** Moves one stream's chunks to a receiver that may ask for time. */
export interface OutputPump {
  /** Settles when the stream is closed and the receiver has taken everything. */
  readonly finished: Promise<void>;
  /** Settles when the receiver is not busy; at once if it is idle. */
  idle(): Promise<void>;
  isBusy(): boolean;
  /** Reads no further. */
  abandon(): void;
}

/** @param receive its promise holds the stream back while it is pending; it must not reject */
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
