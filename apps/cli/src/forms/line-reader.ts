import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { CommandError, exitCodes } from '../exit-codes';
import type { Terminal } from '../terminal';

/** Asks questions one by one and reads a line for each answer. */
export interface LineReader {
  /** @param secret hides the answer while it is typed @throws CommandError if there are no more lines */
  ask(question: string, secret?: boolean): Promise<string>;
  /** Prints something between two questions, if the input is a terminal. */
  say(text: string): void;
  close(): void;
}

/** Runs questions with a reader, and closes it afterwards. */
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

/** Prints questions on stderr if the input is a terminal. From a file or a pipe, it only reads lines in order. */
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
  /** Takes the waiting question, if there is one. */
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

/** Prompts for a text and hides it while it is typed. Without a terminal, reads the first line of the input. */
export async function askSecret(
  { stdin, stderr }: Pick<Terminal, 'stdin' | 'stderr'>,
  question: string,
  missing = 'No password was given.',
): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silent, terminal: Boolean(stdin.isTTY) });
  if (stdin.isTTY) stderr.write(question);
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve);
      lines.once('SIGINT', () => reject(new CommandError('Interrupted.', exitCodes.interrupted.code)));
      lines.once('close', () => reject(new CommandError(missing, exitCodes.usage.code)));
    });
  } finally {
    if (stdin.isTTY) stderr.write('\n');
    lines.close();
  }
}
