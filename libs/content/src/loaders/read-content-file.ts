import { readFile } from 'node:fs/promises';
import { isPlainObject, messageOf } from '@switchyard/base';
import { pythonRepr } from '@switchyard/model';
import { readYaml, type YamlContent } from '../yaml/read-yaml';
import { failureOf, type ContentFailure, type FailedFile } from './content-failure';

export interface ParsedFile {
  content: Record<string, unknown>;
  yaml: YamlContent;
}

/** @returns the text, or why it cannot be read */
export async function readText(file: FailedFile): Promise<{ text: string } | { failures: ContentFailure[] }> {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file.file)) };
  } catch (error) {
    return { failures: [failureOf(file, { path: [], text: messageOf(error) })] };
  }
}

/** @returns the object that a text holds, or every reason why it holds none */
export function parseText(file: FailedFile, text: string): ParsedFile | { failures: ContentFailure[] } {
  const yaml = readYaml(text);
  if (yaml.problems.length > 0) {
    return { failures: yaml.problems.map((problem) => ({ ...file, ...problem })) };
  }
  if (isPlainObject(yaml.value)) return { content: yaml.value, yaml };
  const reason = `${pythonRepr(yaml.value)} is not of type 'object': the file has to hold keys and values`;
  return { failures: [failureOf(file, { path: [], text: reason }, yaml)] };
}
