import { isPlainObject } from '@switchyard/base';
import { CommandError } from '../exit-codes';

export type Definition = Readonly<Record<string, unknown>>;

/**
 * What a word on the command line stands for, by the parameter's definition. Without a type it stays text.
 * @throws CommandError when the word cannot be read as that type
 */
export function convertValue(name: string, definition: Definition | undefined, text: string): unknown {
  const type = definition?.['type'];
  if (Array.isArray(type)) return convertToAny(name, definition, type.map(String), text);
  switch (type) {
    case 'integer':
      return toNumber(name, text, /^[+-]?\d+$/, 'an integer');
    case 'number':
      return toNumber(name, text, /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i, 'a number');
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

/** From strict to lenient: a text is only taken when nothing else fits. */
const PREFERENCE = ['null', 'boolean', 'integer', 'number', 'object', 'array', 'string'];

function convertToAny(
  name: string,
  definition: Definition | undefined,
  types: readonly string[],
  text: string,
): unknown {
  for (const type of PREFERENCE.filter((each) => types.includes(each))) {
    if (type === 'null') {
      if (text === 'null') return null;
      continue;
    }
    // Any text could be a list; here it has to look like one.
    if (type === 'array' && types.includes('string') && !text.startsWith('[')) continue;
    if (type === 'object' && !text.startsWith('{')) continue;
    try {
      return convertValue(name, { ...definition, type }, text);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
    }
  }
  throw new CommandError(`Parameter "${name}": "${text}" is none of ${types.join(', ')}.`);
}

function toNumber(name: string, text: string, pattern: RegExp, what: string): number {
  const trimmed = text.trim();
  if (pattern.test(trimmed)) return Number(trimmed);
  throw new CommandError(`Parameter "${name}": "${text}" is not ${what}.`);
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

/** `a=1,b=2`; values stay text, and pieces without `=` count for nothing. */
const pairs = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split(',')
      .filter((piece) => piece.includes('='))
      .map((piece) => [piece.slice(0, piece.indexOf('=')).trim(), piece.slice(piece.indexOf('=') + 1).trim()]),
  );

function toList(name: string, definition: Definition | undefined, text: string): unknown[] {
  const items = isPlainObject(definition?.['items']) ? definition['items'] : undefined;
  const value = text.trim().startsWith('[') ? json(text) : undefined;
  if (Array.isArray(value)) return value;
  if (text.trim().startsWith('{')) {
    const object = json(text);
    if (isPlainObject(object)) return [object];
  }
  const words = text.split(',').map((word) => word.trim());
  if (items?.['type'] !== undefined) return words.map((word) => convertValue(name, items, word));
  // A single number, true or null is a list of one such value; several words are texts.
  const only = words.length === 1 ? json(text) : undefined;
  return typeof only === 'number' || typeof only === 'boolean' ? [only] : words;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
