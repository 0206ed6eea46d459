import { isPlainObject, messageOf } from '@switchyard/base';
import { compileSchema, MASK } from '@switchyard/model';
import { CommandError } from '../exit-codes';
import { convertValue } from '../parameters/convert-value';
import type { LineReader } from './line-reader';

export interface FormQuestion {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly required: boolean;
}

/** Asks until the answer fits the schema. @returns undefined if an optional answer is empty */
export async function askValue(reader: LineReader, { name, schema, required }: FormQuestion): Promise<unknown> {
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

const MISSING = { problem: 'An answer is required.' };

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The choices for the value or for the items of a list. */
function choicesOf({ enum: own, type, items }: FormQuestion['schema']): readonly unknown[] | undefined {
  if (Array.isArray(own)) return own as unknown[];
  return type === 'array' && isPlainObject(items) && Array.isArray(items['enum'])
    ? (items['enum'] as unknown[])
    : undefined;
}

function understood(
  line: string,
  name: string,
  schema: FormQuestion['schema'],
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

/** Reads choices by number or by text. */
function chosen(line: string, schema: FormQuestion['schema'], choices: readonly unknown[]): unknown {
  const one = (text: string) => {
    const word = text.trim();
    const named = choices.find((choice) => textOf(choice) === word);
    const found = named ?? (/^\d+$/.test(word) ? choices[Number(word)] : undefined);
    if (found === undefined) throw new CommandError(`"${word}" is not one of ${choices.map(textOf).join(', ')}.`);
    return found;
  };
  return schema['enum'] === undefined ? line.split(',').map(one) : one(line);
}

const WORDS = new Map<string, boolean>([
  ...['y', 'yes', '1', 'true'].map((word) => [word, true] as const),
  ...['n', 'no', 'nope', 'nah', '0', 'false'].map((word) => [word, false] as const),
]);

function read(line: string, name: string, schema: FormQuestion['schema']): unknown {
  if (schema['type'] !== 'boolean') return convertValue(name, schema, line);
  const value = WORDS.get(line.trim().toLowerCase());
  if (value === undefined) throw new CommandError('Please answer yes or no.');
  return value;
}
