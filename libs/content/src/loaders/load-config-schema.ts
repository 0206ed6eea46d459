import { join } from 'node:path';
import { isFault, isPlainObject } from '@switchyard/base';
import { checkConfigSchema } from '@switchyard/model';
import type { PackPlace } from '../packs/find-packs';
import { failureOf, type ContentFailure, type FailedFile } from './content-failure';
import { parseText, readText } from './read-content-file';
import { readYaml } from '../yaml/read-yaml';

const FILE = 'config.schema.yaml';

/**
 * Reads and checks what a pack says about its configuration.
 * @param files every file of the pack, relative to it
 * @returns the schemas of the attributes, by name; undefined for a pack without such a file
 */
export async function loadConfigSchema(
  { name, directory }: PackPlace,
  files: readonly string[],
): Promise<{ attributes: Record<string, unknown> | undefined } | { failures: ContentFailure[] }> {
  if (!files.includes(FILE)) return { attributes: undefined };
  const file: FailedFile = { pack: name, type: 'config schema', file: join(directory, FILE) };
  const read = await readText(file);
  if ('failures' in read) return read;
  if (isEmpty(read.text))
    return { failures: [failureOf(file, { path: [], text: `Config schema "${file.file}" is empty and invalid.` })] };
  const parsed = parseText(file, read.text);
  if ('failures' in parsed) return parsed;
  try {
    checkConfigSchema(parsed.content);
    return { attributes: parsed.content };
  } catch (error) {
    if (!isFault(error)) throw error;
    const { field } = error.extra;
    const path = typeof field === 'string' ? field.split('.') : [];
    return { failures: [failureOf(file, { path, text: error.message }, parsed.yaml)] };
  }
}

function isEmpty(text: string): boolean {
  const { value, problems } = readYaml(text);
  return (
    problems.length === 0 && ((value ?? null) === null || (isPlainObject(value) && Object.keys(value).length === 0))
  );
}
