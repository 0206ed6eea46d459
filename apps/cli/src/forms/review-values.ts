import { isPlainObject, messageOf } from '@switchyard/base';
import { CommandError } from '../exit-codes';
import { parseStructured, yamlText } from '../output/structured';
import type { Terminal } from '../terminal';
import { askValue } from './ask-value';
import { editText } from './edit-text';
import { withLineReader } from './line-reader';

type Values = Record<string, unknown>;

/**
 * Shows somebody at a terminal what is going to be saved, if they like, and has them agree.
 * @param name of the file that an editor shows @returns the values, which may have been edited
 * @throws CommandError when they do not agree
 */
export async function reviewValues(terminal: Terminal, name: string, given: Values): Promise<Values> {
  let values = given;
  let editing = await agrees(terminal, 'Look at it in an editor before it is saved?', false);
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
    return isPlainObject(values) ? { values } : { problem: 'It has to hold keys and values.' };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}
