import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { CommandError, exitCodes } from '../exit-codes';
import type { Terminal } from '../terminal';

/** Asks for a text that is not shown while it is typed. Without a terminal, the first line of the input is taken. */
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
