import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { deferred, MIB } from '@switchyard/base';

/** Longer results could exhaust the memory of later consumers. */
export const LONGEST_RESULT_BYTES = 100 * MIB;

/** How long to wait for a result after its process ended. */
const SETTLE_MS = 300;
const SETTLE_TURNS = 10;

const NEW_LINE = 0x0a;

/** Collects the single result line that an action's process writes. */
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

  /** Whether the line exceeded the limit. */
  get isTooLong(): boolean {
    return this.#bytes > LONGEST_RESULT_BYTES;
  }

  /** Call after the process has ended. @returns undefined when there was no line */
  async read(): Promise<string | undefined> {
    const late = setTimeout(() => void this.#giveUp(), SETTLE_MS);
    const line = await this.#over.promise;
    clearTimeout(late);
    this.#stream.destroy();
    return line;
  }

  #take(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.isTooLong) {
      // Keep reading and discard the data, so that the writer does not block.
      this.#chunks.length = 0;
      return;
    }
    this.#chunks.push(chunk);
    if (chunk.at(-1) === NEW_LINE) this.#over.resolve(Buffer.concat(this.#chunks).toString('utf8'));
  }

  /** Limits the wait: a background process may keep the pipe open without ever writing. */
  async #giveUp(): Promise<void> {
    // If this process was busy, data may have arrived in time without being read yet.
    for (let turn = 0; turn < SETTLE_TURNS; turn++) await setImmediate();
    this.#over.resolve(undefined);
  }
}
