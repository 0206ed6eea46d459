import type { Duplex } from 'node:stream';
import { MIB, type DataLimits } from '@switchyard/base';
import { returnedValue } from '../returned-value';
import type { OutcomeMessage, StartMessage } from './protocol';

/** What an action may hand over: at the limit of what a store takes. */
const MAX_RESULT_BYTES = 16 * MIB;
const NEWLINE = 0x0a;
/** As `runner-link.ts` writes it. */
const HEAD = /^\{"succeeded":(true|false),"result":/;
const NO_RESULT = 'The action has written something that is no result to the connection of its runner.';

/** Neither of them when the process ended before it said anything. */
export interface Heard {
  readonly outcome?: OutcomeMessage;
  /** Why what it said is not its outcome. */
  readonly problem?: string;
}

/** Tells an action what to do, and hears what came of it. */
export class Conversation {
  #line: string | undefined;
  #isTooLarge = false;
  #channel: Duplex | undefined;

  constructor(private readonly start: StartMessage) {}

  /** What the process said; a result beyond a limit is its JSON text, with a note. */
  async heard(limits: DataLimits): Promise<Heard> {
    if (this.#isTooLarge) return { problem: `The result is larger than ${MAX_RESULT_BYTES / MIB} MiB.` };
    if (this.#line === undefined) return {};
    const [head = '', succeeded] = HEAD.exec(this.#line) ?? [];
    try {
      if (succeeded === undefined) return { problem: NO_RESULT };
      const result = await returnedValue(this.#line, head, limits);
      return { outcome: { succeeded: succeeded === 'true', result } };
    } catch {
      return { problem: NO_RESULT };
    }
  }

  /** What a process left in the background may hold its end open for ever. */
  close(): void {
    this.#channel?.destroy();
  }

  open(channel: Duplex): void {
    this.#channel = channel;
    const parts: Buffer[] = [];
    let size = 0;
    // A process that ends in the middle of a message is nothing to fail for.
    channel.on('error', () => channel.destroy());
    channel.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_RESULT_BYTES) parts.push(chunk);
      else parts.length = 0;
      if (chunk.at(-1) !== NEWLINE) return;
      this.#isTooLarge = size > MAX_RESULT_BYTES;
      this.#line = Buffer.concat(parts).toString();
      channel.end('{}\n');
    });
    channel.write(`${JSON.stringify(this.start)}\n`);
  }
}
