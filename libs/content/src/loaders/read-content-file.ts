import { isPlainObject, lacksResources, messageOf } from '@switchyard/base';
import { pythonRepr } from '@switchyard/model';
import { fieldName, type Issue } from '../check/issue';
import { readRegularFile } from '../files/regular-file';
import { readYaml, type YamlContent } from '../read-yaml';

const decoder = new TextDecoder('utf-8', { fatal: true });

export interface ParsedFile {
  content: Record<string, unknown>;
  yaml: YamlContent;
}

/**
 * Reads synchronously: a pack has thousands of small files, and waiting for each one costs more than reading it. The caller
 * pauses in between.
 * @returns the text, or the failure to read it
 * @throws Error if the machine could not read anything
 */
export function readText(file: FailedFile): { text: string } | { failures: ContentFailure[] } {
  try {
    return { text: decoder.decode(readRegularFile(file.file)) };
  } catch (error) {
    // The file may be sound. A pack that counts as registered without it would stay so.
    if (lacksResources(error)) throw error;
    return { failures: [failureOf(file, { path: [], text: messageOf(error) })] };
  }
}

/** @returns the parsed object, or every problem */
export function parseText(file: FailedFile, text: string): ParsedFile | { failures: ContentFailure[] } {
  const yaml = readYaml(text);
  if (yaml.problems.length > 0) {
    return { failures: yaml.problems.map((problem) => ({ ...file, ...problem })) };
  }
  if (isPlainObject(yaml.value)) return { content: yaml.value, yaml };
  const reason = `${pythonRepr(yaml.value)} is not of type 'object': the file must contain keys and values`;
  return { failures: [failureOf(file, { path: [], text: reason }, yaml)] };
}

/** Why a file could not be registered. */
export interface ContentFailure {
  pack: string;
  /** Kind of content, such as `pack` or `action`. */
  type: string;
  /** Absolute. */
  file: string;
  /** From 1. */
  line?: number;
  /** Dotted path, such as `parameters.count.type`. */
  field?: string;
  text: string;
}

/** Identifies the file of a failure. */
export type FailedFile = Pick<ContentFailure, 'pack' | 'type' | 'file'>;

export const failureOf = (file: FailedFile, { path, text }: Issue, content?: YamlContent): ContentFailure => ({
  ...file,
  ...(content ? { line: content.lineOf(path) } : {}),
  ...(path.length > 0 ? { field: fieldName(path) } : {}),
  text,
});

export function describeContentFailure({ pack, type, file, line, field, text }: ContentFailure): string {
  const place = [line === undefined ? '' : `line ${line}`, field === undefined ? '' : `field "${field}"`]
    .filter((part) => part !== '')
    .join(', ');
  return `Failed to register ${type} "${file}" from pack "${pack}": ${place === '' ? '' : `${place}: `}${text}`;
}
