import { existsSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { isFault, isPlainObject, messageOf } from '@switchyard/base';
import { checkConfigSchema } from '@switchyard/model';
import { issue } from '../check/issue';
import { checkConfig } from '../configs/check-config';
import { configFile } from '../configs/config-file';
import { readRegularFile } from '../files/regular-file';
import type { PackPlace } from '../packs/find-packs';
import { readYaml } from '../read-yaml';
import { failureOf, type ContentFailure, type FailedFile, parseText, readText } from './read-content-file';

export const CONFIG_SCHEMA_FILE = 'config.schema.yaml';

/**
 * Reads and checks the configuration schema of a pack.
 * @param files every file of the pack, relative to it
 * @returns the schemas of the attributes, by name; undefined when there is no schema file
 */
export function loadConfigSchema(
  { name, directory }: PackPlace,
  files: readonly string[],
): { attributes: Record<string, unknown> | undefined } | { failures: ContentFailure[] } {
  if (!files.includes(CONFIG_SCHEMA_FILE)) return { attributes: undefined };
  return readConfigSchema({ pack: name, type: 'config schema', file: join(directory, CONFIG_SCHEMA_FILE) });
}

function readConfigSchema(file: FailedFile): { attributes: Record<string, unknown> } | { failures: ContentFailure[] } {
  const read = readText(file);
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

/**
 * Reads and checks the configuration of a pack.
 * @param directory directory of the `<pack>.yaml` files @param attributes from the pack's schema; without them, everything is valid
 * @returns an empty object when there is no such file; an empty file has no values
 */
export function loadConfigFile(
  directory: string,
  pack: string,
  attributes: Record<string, unknown> | undefined,
): { values?: Record<string, unknown> } | { failures: ContentFailure[] } {
  const file: FailedFile = { pack, type: 'config', file: configFile(directory, pack) };
  return existsSync(file.file) ? readConfig(file, attributes) : {};
}

/**
 * Checks a configuration against a schema that are not those of an installed pack.
 * @param config path of the file with the values @param schema path of the file with the schemas of the attributes
 * @returns what is wrong with one of them
 */
export function checkConfigFile(config: string, schema: string): ContentFailure[] {
  const pack = basename(config, extname(config));
  const read = readConfigSchema({ pack, type: 'config schema', file: schema });
  if ('failures' in read) return read.failures;
  const checked = readConfig({ pack, type: 'config', file: config }, read.attributes);
  return 'failures' in checked ? checked.failures : [];
}

function readConfig(
  file: FailedFile,
  attributes: Record<string, unknown> | undefined,
): { values: Record<string, unknown> } | { failures: ContentFailure[] } {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(readRegularFile(file.file));
  } catch (error) {
    return { failures: [failureOf(file, issue([], messageOf(error)))] };
  }
  const yaml = readYaml(text);
  if (yaml.problems.length > 0) return { failures: yaml.problems.map((problem) => ({ ...file, ...problem })) };
  const values = yaml.value ?? {};
  // The message must not quote the content, which may be a secret.
  const issues = isPlainObject(values)
    ? checkConfig(values, attributes ?? {})
    : [issue([], 'the file must contain keys and values')];
  if (issues.length > 0) return { failures: issues.map((found) => failureOf(file, found, yaml)) };
  return { values: values as Record<string, unknown> };
}
