import type { Client } from '@switchyard/client';
import type { Terminal } from '../terminal';

export interface TailOptions {
  readonly signal: AbortSignal;
  readonly type?: string | undefined;
  /** Writes to stderr, when stdout is for one document. */
  readonly ownStream?: boolean;
  /** Begins each piece with its time and type. */
  readonly metadata?: boolean | undefined;
}

/** Prints the output of an execution: what is there, then what comes, until it ends. */
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
