import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as delay } from 'node:timers/promises';
import { OutputCapture, type OutputStream } from '@switchyard/subprocess';
import type { ClientChannel } from 'ssh2';

/** Receives output while a command runs. */
export type ShowOutput = (stream: OutputStream, text: string) => void | Promise<void>;

/** Distributes the output of a command on a host: the start into the result, all of it to watchers. */
export class RemoteOutput {
  readonly #show: ShowOutput;
  readonly #wholeLines: boolean;
  readonly #streams: Readonly<Record<OutputStream, { capture: OutputCapture; decoder: StringDecoder; line: string }>>;
  /** The first error of a watcher; the command continues. */
  error: unknown;

  /** @param wholeLines pass on whole lines only, so that lines of several hosts do not mix */
  constructor(show: ShowOutput, maxBytes: number, wholeLines: boolean) {
    const stream = () => ({ capture: new OutputCapture(maxBytes), decoder: new StringDecoder('utf8'), line: '' });
    this.#show = show;
    this.#wholeLines = wholeLines;
    this.#streams = { stdout: stream(), stderr: stream() };
  }

  /** @returns a promise that pauses the command while pending */
  take(name: OutputStream, chunk: Buffer): Promise<void> | undefined {
    const stream = this.#streams[name];
    stream.capture.add(chunk);
    const text = stream.line + stream.decoder.write(chunk);
    const end = this.#wholeLines ? wholeLinesEnd(text) : text.length;
    stream.line = text.slice(end);
    return this.#hand(name, text.slice(0, end));
  }

  async finish(): Promise<Readonly<Record<OutputStream, ReturnType<OutputCapture['finish']>>>> {
    const { stdout, stderr } = this.#streams;
    await this.#hand('stdout', stdout.line + stdout.decoder.end());
    await this.#hand('stderr', stderr.line + stderr.decoder.end());
    return { stdout: stdout.capture.finish(), stderr: stderr.capture.finish() };
  }

  #hand(name: OutputStream, text: string): Promise<void> | undefined {
    if (text === '') return undefined;
    try {
      return this.#show(name, text)?.catch((thrown: unknown) => void (this.error ??= thrown));
    } catch (thrown) {
      this.error ??= thrown;
      return undefined;
    }
  }
}

/** Longer lines are passed on in parts. */
const LONGEST_LINE = 65_536;

const wholeLinesEnd = (text: string): number => (text.length > LONGEST_LINE ? text.length : text.lastIndexOf('\n') + 1);

/** Waits until all output was handled, but not for background processes of the command. */
export type Settle = () => Promise<void>;

/** How long to wait for more output after the end. */
const SETTLE_MS = 300;

/** @param take may return a promise, which pauses the stream while pending and must not reject */
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
 * Resolves to the exit code, or null when the channel closes without one. Never rejects. Call it in the same tick in which
 * the channel opens: the code of a short command may be in the same packet and is emitted only once.
 */
export const exitOfChannel = (channel: ClientChannel): Promise<number | null> =>
  new Promise((resolve) => {
    channel.once('exit', (code: number | null, signal?: string) => resolve(code ?? exitCodeOf(signal)));
    channel.once('close', () => resolve(null));
  });

/** The exit code that a shell would report for a signal. */
const exitCodeOf = (signal = ''): number =>
  128 + ((constants.signals as Record<string, number>)[`SIG${signal.replace(/^SIG/, '')}`] ?? 0);

interface Pump {
  readonly ended: Promise<void>;
  /** The chunk being handled. */
  busy(): Promise<void> | undefined;
  /** Number of chunks so far. */
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
