import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { constants } from 'node:os';
import type { OutputStream } from '@switchyard/subprocess';
import type { ClientChannel } from 'ssh2';

/** Waits until all output was taken, but not for what the command left in the background. */
export type Settle = () => Promise<void>;

/** So long after the end more output is waited for. */
const SETTLE_MS = 300;

/** @param take its promise holds the stream back while it is pending; it must not reject */
export function channelOutput(
  channel: ClientChannel,
  take: (stream: OutputStream, chunk: Buffer) => Promise<void> | undefined,
): Settle {
  const pumps = [
    pump(channel, (chunk) => take('stdout', chunk)),
    pump(channel.stderr, (chunk) => take('stderr', chunk)),
  ];
  return () => settled(pumps);
}

/**
 * The exit code; null when the channel is closed without one. Never rejects. To be called in the very step in which the channel is
 * opened: the code of a command that ends at once may be in the same packet, and is told once.
 */
export const exitOf = (channel: ClientChannel): Promise<number | null> =>
  new Promise((resolve) => {
    channel.once('exit', (code: number | null, signal?: string) => resolve(code ?? exitCodeOf(signal)));
    channel.once('close', () => resolve(null));
  });

/** As a shell counts. */
const exitCodeOf = (signal = ''): number =>
  128 + ((constants.signals as Record<string, number>)[`SIG${signal.replace(/^SIG/, '')}`] ?? 0);

interface Pump {
  readonly ended: Promise<void>;
  /** What is being taken. */
  busy(): Promise<void> | undefined;
  /** How many chunks came. */
  count(): number;
  stop(): void;
}

function pump(stream: Readable, take: (chunk: Buffer) => Promise<void> | undefined): Pump {
  let busy: Promise<void> | undefined;
  let count = 0;
  const receive = (chunk: Buffer) => {
    count++;
    const pending = take(chunk);
    if (pending === undefined) return;
    stream.pause();
    busy = pending.then(() => {
      busy = undefined;
      stream.resume();
    });
  };
  stream.on('data', receive);
  const ended = new Promise<void>((resolve) => void stream.once('end', () => resolve()));
  return {
    ended: ended.then(() => busy),
    busy: () => busy,
    count: () => count,
    stop: () => void stream.off('data', receive).resume(),
  };
}

async function settled(pumps: readonly Pump[]): Promise<void> {
  const ended = Promise.all(pumps.map((each) => each.ended)).then(() => true);
  const count = () => pumps.reduce((sum, each) => sum + each.count(), 0);
  for (let before = -1; ;) {
    if (await within(ended)) return;
    const busy = pumps.flatMap((each) => each.busy() ?? []);
    if (busy.length === 0 && count() === before) break;
    before = count();
    await Promise.all(busy);
  }
  for (const each of pumps) each.stop();
}

async function within(done: Promise<boolean>): Promise<boolean> {
  const timer = new AbortController();
  const late = delay(SETTLE_MS, false, { signal: timer.signal }).catch(() => false);
  const isDone = await Promise.race([done, late]);
  timer.abort();
  return isDone;
}
