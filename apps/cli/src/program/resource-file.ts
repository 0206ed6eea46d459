import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { isPlainObject, messageOf } from '@switchyard/base';
import { usageError } from '../exit-codes';
import { parseStructured } from '../output/structured';

const EXTENSIONS = ['.json', '.yaml', '.yml'];

/** Reads one object from a JSON or YAML file. */
export async function readResourceFile(path: string): Promise<Record<string, unknown>> {
  const content = await parsed(path);
  if (isPlainObject(content)) return content;
  throw usageError(`The file "${path}" must contain one object.`);
}

/** Reads a list from a JSON or YAML file. A single value becomes a list of one, an empty file an empty list. */
export async function readResourceList(path: string): Promise<unknown[]> {
  const content = await parsed(path);
  if (content === null || content === undefined) return [];
  return Array.isArray(content) ? (content as unknown[]) : [content];
}

async function parsed(path: string): Promise<unknown> {
  if (!EXTENSIONS.includes(extname(path))) throw usageError(`The file "${path}" must end in ${EXTENSIONS.join(', ')}.`);
  try {
    return await parseStructured(readFileSync(path, 'utf8'));
  } catch (error) {
    throw usageError(`Cannot read the file "${path}": ${messageOf(error)}`);
  }
}
