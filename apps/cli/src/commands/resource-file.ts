import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { isPlainObject, messageOf } from '@switchyard/base';
import { usageError } from '../exit-codes';
import { parseStructured } from '../output/structured';

const EXTENSIONS = ['.json', '.yaml', '.yml'];

/** One object from a JSON or YAML file. */
export async function readResourceFile(path: string): Promise<Record<string, unknown>> {
  const content = await parsed(path);
  if (isPlainObject(content)) return content;
  throw usageError(`The file "${path}" has to hold one object.`);
}

/** What a JSON or YAML file lists; one value stands for a list of one, an empty file for none. */
export async function readResourceList(path: string): Promise<unknown[]> {
  const content = await parsed(path);
  if (content === null || content === undefined) return [];
  return Array.isArray(content) ? (content as unknown[]) : [content];
}

async function parsed(path: string): Promise<unknown> {
  if (!EXTENSIONS.includes(extname(path))) throw usageError(`The file "${path}" is none of ${EXTENSIONS.join(', ')}.`);
  try {
    return await parseStructured(readFileSync(path, 'utf8'));
  } catch (error) {
    throw usageError(`The file "${path}" cannot be read: ${messageOf(error)}`);
  }
}
