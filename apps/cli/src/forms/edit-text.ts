import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandError } from '../exit-codes';
import type { Terminal } from '../terminal';

/**
 * Has the user change a text in the editor of their choice.
 * @param name of the file, for the editor's title and colours
 * @throws CommandError when the editor cannot be started, or fails
 */
export async function editText({ env }: Pick<Terminal, 'env'>, text: string, name: string): Promise<string> {
  const editor = env['VISUAL'] || env['EDITOR'] || 'vi';
  // Only its owner can read what is in there: secrets may be.
  const directory = await mkdtemp(join(tmpdir(), 'svc-edit-'));
  try {
    const file = join(directory, name);
    await writeFile(file, text, { mode: 0o600 });
    await run(editor, file);
    return await readFile(file, 'utf8');
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** The variable may have arguments besides the name of a program. */
function run(editor: string, file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit' });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new CommandError(`The editor "${editor}" has failed. Nothing was saved.`));
    });
  });
}
