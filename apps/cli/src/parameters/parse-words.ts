import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { isPlainObject, messageOf } from '@switchyard/base';
import type { ParameterDefinitions } from '@switchyard/model';
import { CommandError } from '../exit-codes';
import { convertValue, type ParameterDefinition } from './convert-value';

export interface WordOptions {
  /** The merged definitions of runner and action. */
  readonly definitions: ParameterDefinitions;
  /** For actions that send a file: its content and name become separate parameters. */
  readonly sendsFiles?: boolean;
  readonly autoDict?: boolean | undefined;
}

/**
 * Reads parameters from the words of a command line: `key=value` typed by definition, `@key=path` for the text of a file,
 * and everything from the first word without `=` as `cmd`. Repeating a list parameter adds to the list.
 */
export function parseWords(words: readonly string[], options: WordOptions): Record<string, unknown> {
  const parameters: Record<string, unknown> = {};
  for (const [index, word] of words.entries()) {
    const equals = word.indexOf('=');
    if (equals < 0) {
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
    // The server casts it, so that nothing of the file is lost.
    parameters[key] = content;
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
    throw new CommandError(`Cannot read the file "${path}": ${messageOf(error)}`);
  }
}

/**
 * `--auto-dict`: a list in which every word has a colon is one object, `a:1,b:2` → `[{a: 1, b: 2}]`. The `properties` of the
 * definition or of its `items` give the types. Returns undefined for any other text.
 */
export function listOfObjects(
  name: string,
  definition: ParameterDefinition | undefined,
  text: string,
): object[] | undefined {
  const words = text.split(',');
  if (definition?.['type'] !== 'array' || /^\s*[[{]/.test(text) || !words.every((word) => word.includes(':')))
    return undefined;
  const properties = propertiesOf(definition) ?? propertiesOf(definition['items']);
  const members = words.map((word) => {
    const colon = word.indexOf(':');
    const key = word.slice(0, colon).trim();
    const type = properties?.[key];
    return [key, convertValue(`${name}.${key}`, isPlainObject(type) ? type : undefined, word.slice(colon + 1))];
  });
  return [Object.fromEntries(members) as object];
}

const propertiesOf = (schema: unknown): Record<string, unknown> | undefined =>
  isPlainObject(schema) && isPlainObject(schema['properties']) ? schema['properties'] : undefined;

/** Variables of the caller's session, which are useless to an action on another machine. */
const PERSONAL = new Set(
  (
    'pwd mail username user path home ps1 shell pythonpath ssh_tty ssh_connection lang ls_colors logname oldpwd term ' +
    'xdg_session_id'
  ).split(' '),
);

/** Credentials of this command are not passed on. */
const OWN = /^(SVC|ST2)_(AUTH_TOKEN|API_KEY|BASIC_AUTH)$/;

/** The caller's environment for `run -e`. */
export const inheritedEnvironment = (env: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined && !PERSONAL.has(entry[0].toLowerCase()) && !OWN.test(entry[0]),
    ),
  );
