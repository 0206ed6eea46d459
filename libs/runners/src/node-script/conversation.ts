import type { Duplex } from 'node:stream';
import { isPlainObject, MIB } from '@switchyard/base';
import type { OutcomeMessage, StartMessage } from './protocol';

/** What an action may hand over: at the limit of what a store takes. */
const MAX_RESULT_BYTES = 16 * MIB;
const NEWLINE = 0x0a;

/** Tells an action what to do, and hears what came of it. */
export class Conversation {
  #outcome: OutcomeMessage | undefined;
  #problem: string | undefined;
  #channel: Duplex | undefined;

  constructor(private readonly start: StartMessage) {}

  /** Undefined when the process ended before it said anything. */
  get outcome(): OutcomeMessage | undefined {
    return this.#outcome;
  }

  /** Why what the process said is not its outcome. */
  get problem(): string | undefined {
    return this.#problem;
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
      this.#take(size <= MAX_RESULT_BYTES ? Buffer.concat(parts).toString() : undefined);
      channel.end('{}\n');
    });
    channel.write(`${JSON.stringify(this.start)}\n`);
  }

  #take(line: string | undefined): void {
    const outcome = line === undefined ? undefined : parsed(line);
    if (isOutcome(outcome)) this.#outcome = outcome;
    else if (line === undefined) this.#problem = `The result is larger than ${MAX_RESULT_BYTES / MIB} MiB.`;
    else this.#problem = 'The action has written something that is no result to the connection of its runner.';
  }
}

const isOutcome = (value: unknown): value is OutcomeMessage =>
  isPlainObject(value) && typeof value['succeeded'] === 'boolean' && 'result' in value;

function parsed(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}
