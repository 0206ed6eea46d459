import type { Client } from '@switchyard/client';
import type { Terminal } from '../terminal';

export interface TailOptions {
  readonly signal: AbortSignal;
  readonly type?: string | undefined;
  /** Writes to stderr, because stdout is for one document. */
  readonly ownStream?: boolean;
  /** Prefixes each chunk with its time and type. */
  readonly metadata?: boolean | undefined;
}

/** Prints the output of an execution, stored and new, until it ends. */
export async function tailOutput(terminal: Terminal, client: Client, id: string, options: TailOptions): Promise<void> {
  const target = options.ownStream ? terminal.stderr : terminal.stdout;
  let atLineStart = true;
  for await (const chunk of client.executions.outputStream(id, { type: options.type, signal: options.signal })) {
    const prefix = options.metadata ? `[${chunk.timestamp}][${chunk.output_type}] ` : '';
    target.write(prefix + chunk.data);
    if (chunk.data !== '') atLineStart = chunk.data.endsWith('\n');
  }
  if (!atLineStart) target.write('\n');
}

/** Adds a prefix to each line of a text that arrives in chunks. */
export interface LineWriter {
  write(piece: string): void;
  /** Writes the last line if it has no newline. */
  flush(): void;
}

/** Each line is written as a whole, so lines of several writers never mix. */
export function linePrefix(write: (text: string) => void, prefix: string): LineWriter {
  let rest = '';
  return {
    write(piece) {
      const lines = (rest + piece).split('\n');
      rest = lines.pop() ?? '';
      if (lines.length > 0) write(lines.map((line) => `${prefix}${line}\n`).join(''));
    },
    flush() {
      if (rest !== '') write(`${prefix}${rest}\n`);
      rest = '';
    },
  };
}
