import { isPlainObject, messageOf } from '@switchyard/base';
import { compileSchema, MASK } from '@switchyard/model';
import { CommandError } from '../exit-codes';
import { convertValue } from '../parameters/convert-value';
import type { LineReader } from './line-reader';

export interface Question {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly required: boolean;
}

/** Asks until the answer fits the schema. @returns undefined when nothing was given for what may be left out */
export async function askValue(reader: LineReader, { name, schema, required }: Question): Promise<unknown> {
  const choices = choicesOf(schema);
  if (typeof schema['description'] === 'string') reader.say(schema['description']);
  choices?.forEach((choice, index) => reader.say(`  ${index} - ${textOf(choice)}`));
  const preset = schema['default'];
  const secret = schema['secret'] === true;
  const shown = preset === undefined || preset === null ? '' : ` [${secret ? MASK : textOf(preset)}]`;
  for (;;) {
    const line = await reader.ask(`${name}${shown}: `, secret);
    if (line.trim() === '' && preset !== undefined) return preset;
    if (line.trim() === '' && !required) return undefined;
    const outcome = line.trim() === '' ? MISSING : understood(line, name, schema, choices);
    if ('value' in outcome) return outcome.value;
    reader.say(outcome.problem);
  }
}

const MISSING = { problem: 'This has to be answered.' };

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** What can be chosen from, of the value itself or of the items of a list. */
function choicesOf({ enum: own, type, items }: Question['schema']): readonly unknown[] | undefined {
  if (Array.isArray(own)) return own as unknown[];
  return type === 'array' && isPlainObject(items) && Array.isArray(items['enum'])
    ? (items['enum'] as unknown[])
    : undefined;
}

function understood(
  line: string,
  name: string,
  schema: Question['schema'],
  choices: readonly unknown[] | undefined,
): { value: unknown } | { problem: string } {
  try {
    const value = choices ? chosen(line, schema, choices) : read(line, name, schema);
    const { required: _, ...check } = schema;
    const outcome = compileSchema(check, { allowNone: true }).check(value);
    return outcome.ok ? { value } : { problem: outcome.violation.message };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

/** By number or by what it says. */
function chosen(line: string, schema: Question['schema'], choices: readonly unknown[]): unknown {
  const one = (text: string) => {
    const word = text.trim();
    const named = choices.find((choice) => textOf(choice) === word);
    const found = named ?? (/^\d+$/.test(word) ? choices[Number(word)] : undefined);
    if (found === undefined) throw new CommandError(`"${word}" is none of ${choices.map(textOf).join(', ')}.`);
    return found;
  };
  return schema['enum'] === undefined ? line.split(',').map(one) : one(line);
}

const WORDS = new Map<string, boolean>([
  ...['y', 'yes', '1', 'true'].map((word) => [word, true] as const),
  ...['n', 'no', 'nope', 'nah', '0', 'false'].map((word) => [word, false] as const),
]);

function read(line: string, name: string, schema: Question['schema']): unknown {
  if (schema['type'] !== 'boolean') return convertValue(name, schema, line);
  const value = WORDS.get(line.trim().toLowerCase());
  if (value === undefined) throw new CommandError('Please answer yes or no.');
  return value;
}
