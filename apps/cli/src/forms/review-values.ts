import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isPlainObject, messageOf } from '@switchyard/base';
import { CommandError } from '../exit-codes';
import { parseStructured, yamlText } from '../output/structured';
import type { Terminal } from '../terminal';
import { askValue } from './ask-value';
import { withLineReader } from './line-reader';

type Values = Record<string, unknown>;

/**
 * Lets the user review and edit values in an editor, and asks whether to save them.
 * @param name of the file in the editor @returns the values, possibly edited
 * @throws CommandError if the user declines
 */
export async function reviewValues(terminal: Terminal, name: string, given: Values): Promise<Values> {
  let values = given;
  let editing = await agrees(terminal, 'Review it in an editor before saving?', false);
  while (editing) {
    const edited = await read(await editText(terminal, await yamlText(values, 2), name));
    if ('values' in edited) values = edited.values;
    else terminal.stderr.write(`${edited.problem}\n`);
    editing = 'problem' in edited && (await agrees(terminal, 'Edit it again?', true));
  }
  if (!(await agrees(terminal, 'Save it?', true))) throw new CommandError('Nothing was saved.');
  return values;
}

async function agrees(terminal: Terminal, question: string, preset: boolean): Promise<boolean> {
  const schema = { type: 'boolean', default: preset };
  return (
    (await withLineReader(terminal, (reader) => askValue(reader, { name: question, schema, required: false }))) === true
  );
}

async function read(text: string): Promise<{ values: Values } | { problem: string }> {
  try {
    const values = (await parseStructured(text)) ?? {};
    return isPlainObject(values) ? { values } : { problem: 'Expected keys with values.' };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

/**
 * Opens a text in the user's editor and returns the changed text.
 * @param name of the file, which determines the title and colours in the editor
 * @throws CommandError if the editor does not start or fails
 */
export async function editText({ env }: Pick<Terminal, 'env'>, text: string, name: string): Promise<string> {
  const editor = env['VISUAL'] || env['EDITOR'] || 'vi';
  // Only its owner can read this directory: the text may contain secrets.
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

/** The variable may contain arguments after the name of the program. */
function run(editor: string, file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit' });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new CommandError(`The editor "${editor}" failed. Nothing was saved.`));
    });
  });
}
