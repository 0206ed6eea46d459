import { isInexactNumber, isPlainObject, quoteInexactNumbers } from '@switchyard/base';
import { CommandError } from '../exit-codes';

export type ParameterDefinition = Readonly<Record<string, unknown>>;

/**
 * Converts a word of the command line by the definition of its parameter. Without a type it stays text.
 * @throws CommandError if the word does not fit the type
 */
export function convertValue(name: string, definition: ParameterDefinition | undefined, text: string): unknown {
  const type = definition?.['type'];
  if (Array.isArray(type)) return convertToAny(name, definition, type.map(String), text);
  switch (type) {
    case 'integer':
      return toNumber(name, text, /^[+-]?\d+(_\d+)*$/, 'an integer');
    case 'number':
      return toNumber(name, text, /^[+-]?(\d+(_\d+)*(\.(\d+(_\d+)*)?)?|\.\d+(_\d+)*)(e[+-]?\d+)?$/i, 'a number');
    case 'boolean':
      return toBoolean(name, text);
    case 'object':
      return toObject(name, text);
    case 'array':
      return toList(name, definition, text);
    default:
      return text;
  }
}

/** From strict to lenient: a value is text only if nothing else fits. */
const PREFERENCE = ['null', 'boolean', 'integer', 'number', 'object', 'array', 'string'];

function convertToAny(
  name: string,
  definition: ParameterDefinition | undefined,
  types: readonly string[],
  text: string,
): unknown {
  for (const type of PREFERENCE.filter((each) => types.includes(each))) {
    if (type === 'null') {
      if (text === 'null') return null;
      continue;
    }
    // Any text could be a list, so here it must look like one.
    if (type === 'array' && types.includes('string') && !text.startsWith('[')) continue;
    if (type === 'object' && !text.startsWith('{')) continue;
    try {
      return convertValue(name, { ...definition, type }, text);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
    }
  }
  throw new CommandError(`Parameter "${name}": "${text}" is not one of these types: ${types.join(', ')}.`);
}

function toNumber(name: string, text: string, pattern: RegExp, what: string): number {
  const word = text.trim();
  if (!pattern.test(word)) throw new CommandError(`Parameter "${name}": "${text}" is not ${what}.`);
  const digits = word.replaceAll('_', '');
  if (isInexactNumber(digits))
    throw new CommandError(`Parameter "${name}": ${digits} is too large and would lose digits.`);
  return Number(digits);
}

function toBoolean(name: string, text: string): boolean {
  const word = text.trim().toLowerCase();
  if (word === 'true' || word === 'false') return word === 'true';
  const rule = 'Invalid value for boolean parameter. Valid values are: true, false';
  throw new CommandError(`Parameter "${name}": ${rule}`);
}

function toObject(name: string, text: string): Record<string, unknown> {
  if (!text.trim().startsWith('{')) {
    const object = pairs(text);
    if (Object.keys(object).length > 0 || text.trim() === '') return object;
    throw new CommandError(`Parameter "${name}": "${text}" is neither JSON nor of the form a=1,b=2.`);
  }
  const value = json(text);
  if (isPlainObject(value)) return value;
  throw new CommandError(`Parameter "${name}": the object is not valid JSON.`);
}

/** Parses `a=1,b=2`. Values stay text; parts without `=` are ignored. */
const pairs = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split(',')
      .filter((piece) => piece.includes('='))
      .map((piece) => [piece.slice(0, piece.indexOf('=')).trim(), piece.slice(piece.indexOf('=') + 1).trim()]),
  );

function toList(name: string, definition: ParameterDefinition | undefined, text: string): unknown[] {
  const items = isPlainObject(definition?.['items']) ? definition['items'] : undefined;
  const value = text.trim().startsWith('[') ? json(text) : undefined;
  if (Array.isArray(value)) return value;
  if (text.trim().startsWith('{')) {
    const object = json(text);
    if (isPlainObject(object)) return [object];
  }
  const words = text.split(',').map((word) => word.trim());
  if (items?.['type'] !== undefined) return words.map((word) => convertValue(name, items, word));
  // A single number or boolean becomes a list with that value; several words stay texts.
  const only = words.length === 1 ? json(text) : undefined;
  return typeof only === 'number' || typeof only === 'boolean' ? [only] : words;
}

function json(text: string): unknown {
  try {
    return JSON.parse(quoteInexactNumbers(text)) as unknown;
  } catch {
    return undefined;
  }
}
