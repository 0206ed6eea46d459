import type { Duplex } from 'node:stream';
import { MIB, type DataLimits } from '@switchyard/base';
import { returnedValue } from '../returned-value';
import type { OutcomeMessage, NodeStartMessage } from './protocol';

/** Maximum size of a result, which is also the limit of the store. */
const MAX_RESULT_BYTES = 16 * MIB;
const NEWLINE = 0x0a;
/** The format written by `runner-link.ts`. */
const HEAD = /^\{"succeeded":(true|false),"result":/;
const NO_RESULT = 'The action wrote invalid data to its runner connection.';

/** Both absent when the process ended without a message. */
export interface HeardMessage {
  readonly outcome?: OutcomeMessage;
  /** The reason why the message is invalid. */
  readonly problem?: string;
}

/** Sends an action its start message and receives its outcome. */
export class Conversation {
  #line: string | undefined;
  #isTooLarge = false;
  #channel: Duplex | undefined;

  constructor(private readonly start: NodeStartMessage) {}

  /** The message of the process. A result over a limit becomes its JSON text with a note. */
  async heard(limits: DataLimits): Promise<HeardMessage> {
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

  /** Closes the channel, which a background process of the action might keep open forever. */
  close(): void {
    this.#channel?.destroy();
  }

  open(channel: Duplex): void {
    this.#channel = channel;
    const parts: Buffer[] = [];
    let size = 0;
    // A process may end in the middle of a message; that is not an error here.
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
