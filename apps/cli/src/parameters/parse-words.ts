import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { messageOf } from '@switchyard/base';
import type { Definitions } from '@switchyard/model';
import { CommandError } from '../exit-codes';
import { convertValue } from './convert-value';
import { listOfObjects } from './list-of-objects';

export interface WordOptions {
  /** Runner's and action's definitions, merged. */
  readonly definitions: Definitions;
  /** For actions that send a file: its content and name are parameters of their own. */
  readonly sendsFiles?: boolean;
  readonly autoDict?: boolean | undefined;
}

/**
 * Parameters from the words of a command line: `key=value` typed by definition, `@key=path` for the text of a file, and
 * from the first word without `=` on everything as `cmd`. Repeating a list parameter adds to it.
 */
export function parseWords(words: readonly string[], options: WordOptions): Record<string, unknown> {
  const parameters: Record<string, unknown> = {};
  for (const [index, word] of words.entries()) {
    const equals = word.indexOf('=');
    if (equals < 1) {
      parameters['cmd'] = words.slice(index).join(' ');
      break;
    }
    const key = word.slice(0, equals);
    const value = word.slice(equals + 1);
    if (key.startsWith('@')) addFile(parameters, key.slice(1), value, options);
    else addValue(parameters, key, value, options);
  }
  return parameters;
}

function addValue(parameters: Record<string, unknown>, key: string, text: string, options: WordOptions): void {
  const definition = Object.hasOwn(options.definitions, key) ? options.definitions[key] : undefined;
  const objects = options.autoDict ? listOfObjects(key, definition, text) : undefined;
  const value: unknown = objects ?? convertValue(key, definition, text);
  const before = Object.hasOwn(parameters, key) ? parameters[key] : undefined;
  parameters[key] =
    Array.isArray(value) && Array.isArray(before) ? [...(before as unknown[]), ...(value as unknown[])] : value;
}

function addFile(parameters: Record<string, unknown>, key: string, path: string, options: WordOptions): void {
  const content = fileText(path);
  if (!options.sendsFiles) {
    addValue(parameters, key, content, options);
    return;
  }
  parameters['file_content'] = content;
  parameters['file_name'] = basename(path);
  parameters['method'] ??= 'POST';
}

function fileText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new CommandError(`The file "${path}" cannot be read: ${messageOf(error)}`);
  }
}
