import type { Readable } from 'node:stream';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { deferred, MIB } from '@switchyard/base';

/** Longer results would not fit into the memory of everybody who has to handle them. */
export const LONGEST_RESULT_BYTES = 100 * MIB;

/** After its process has ended, a result is in the pipe or never comes. */
const SETTLE_MS = 300;
const SETTLE_TURNS = 10;

const NEW_LINE = 0x0a;

/** The one line that an action's process writes about its result, as it comes. */
export class ResultLine {
  readonly #stream: Readable;
  readonly #over = deferred<string | undefined>();
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(stream: Readable) {
    this.#stream = stream;
    stream.on('data', (chunk: Buffer) => this.#take(chunk));
    stream.on('error', () => stream.destroy());
    stream.once('close', () => this.#over.resolve(undefined));
  }

  /** Whether it was longer than anything that is taken. */
  get isTooLong(): boolean {
    return this.#bytes > LONGEST_RESULT_BYTES;
  }

  /** To be called after the process has ended. @returns undefined when it wrote none */
  async read(): Promise<string | undefined> {
    const timer = new AbortController();
    const line = await Promise.race([this.#over.promise, this.#patience(timer.signal)]);
    timer.abort();
    this.#stream.destroy();
    return line;
  }

  #take(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.isTooLong) {
      // Whoever writes must not wait for a reader, so the rest is read and dropped.
      this.#chunks.length = 0;
      return;
    }
    this.#chunks.push(chunk);
    if (chunk.at(-1) === NEW_LINE) this.#over.resolve(Buffer.concat(this.#chunks).toString('utf8'));
  }

  /** Something that the process left in the background may keep the pipe open, without ever writing to it. */
  async #patience(signal: AbortSignal): Promise<undefined> {
    await delay(SETTLE_MS, undefined, { signal }).catch(() => undefined);
    // The time may have passed while this process was busy: what has arrived by then is still to be read.
    for (let turn = 0; turn < SETTLE_TURNS; turn++) await setImmediate();
    return undefined;
  }
}
