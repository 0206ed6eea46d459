import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { CommandError, exitCodes } from '../exit-codes';
import type { Terminal } from '../terminal';

/** Asks questions one after the other and takes a line for each. */
export interface LineReader {
  /** @param secret the answer is not shown while it is typed @throws CommandError when no more lines come */
  ask(question: string, secret?: boolean): Promise<string>;
  /** Says something between two questions; nothing where nobody sits at a terminal. */
  say(text: string): void;
  close(): void;
}

/** Asks by a reader that has the terminal to itself meanwhile. */
export async function withLineReader<T>(
  terminal: Pick<Terminal, 'stdin' | 'stderr'>,
  ask: (reader: LineReader) => Promise<T>,
): Promise<T> {
  const reader = createLineReader(terminal);
  try {
    return await ask(reader);
  } finally {
    reader.close();
  }
}

/** Questions go to stderr, and only to people; from a file or a pipe, lines are taken in their order. */
export function createLineReader({ stdin, stderr }: Pick<Terminal, 'stdin' | 'stderr'>): LineReader {
  const people = Boolean(stdin.isTTY);
  let silent = false;
  const echo = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (people && !silent) stderr.write(chunk);
      done();
    },
  });
  const lines = createInterface({ input: stdin, output: echo, terminal: people });
  const ready: string[] = [];
  let waiting: { take(line: string): void; fail(error: Error): void } | undefined;
  let over: CommandError | undefined;
  /** Whoever waits gets one line. */
  const served = (): typeof waiting => {
    const first = waiting;
    waiting = undefined;
    return first;
  };
  const end = (error: CommandError): void => {
    over ??= error;
    served()?.fail(over);
  };
  lines.on('line', (line) => {
    const first = served();
    if (first) first.take(line);
    else ready.push(line);
  });
  lines.on('SIGINT', () => end(new CommandError('Dialog interrupted.', exitCodes.interrupted.code)));
  lines.on('close', () => end(new CommandError('The input ended before every question was answered.')));

  const nextLine = (): Promise<string> =>
    new Promise<string>((resolve, reject) => {
      const line = ready.shift();
      if (line !== undefined) resolve(line);
      else if (over) reject(over);
      else waiting = { take: resolve, fail: reject };
    });

  return {
    async ask(question, secret = false) {
      if (people) stderr.write(question);
      silent = secret;
      try {
        return await nextLine();
      } finally {
        silent = false;
        if (people && secret) stderr.write('\n');
      }
    },
    say: (text) => void (people && stderr.write(`${text}\n`)),
    close: () => lines.close(),
  };
}
