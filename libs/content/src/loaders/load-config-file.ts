import { readFile } from 'node:fs/promises';
import { isPlainObject, messageOf } from '@switchyard/base';
import { checkConfig } from '../configs/check-config';
import { configFile } from '../configs/config-file';
import { issue } from '../check/issue';
import { readYaml } from '../yaml/read-yaml';
import { failureOf, type ContentFailure, type FailedFile } from './content-failure';

/**
 * Reads and checks the configuration of a pack.
 * @param directory where `<pack>.yaml` lies @param attributes of the pack's schema; without one, everything is right
 * @returns nothing when there is no such file; an empty one holds no values
 */
export async function loadConfigFile(
  directory: string,
  pack: string,
  attributes: Record<string, unknown> | undefined,
): Promise<{ values?: Record<string, unknown> } | { failures: ContentFailure[] }> {
  const file: FailedFile = { pack, type: 'config', file: configFile(directory, pack) };
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file.file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    return { failures: [failureOf(file, issue([], messageOf(error)))] };
  }
  const yaml = readYaml(text);
  if (yaml.problems.length > 0) return { failures: yaml.problems.map((problem) => ({ ...file, ...problem })) };
  const values = yaml.value ?? {};
  // What stands there instead may be a secret, and is not told.
  const issues = isPlainObject(values)
    ? checkConfig(values, attributes ?? {})
    : [issue([], 'the file has to hold keys and values')];
  if (issues.length > 0) return { failures: issues.map((found) => failureOf(file, found, yaml)) };
  return { values: values as Record<string, unknown> };
}
