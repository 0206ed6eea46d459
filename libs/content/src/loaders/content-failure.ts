import { fieldName, type Issue } from '../check/issue';
import type { YamlContent } from '../yaml/read-yaml';

/** Why a file could not be registered. */
export interface ContentFailure {
  pack: string;
  /** The kind of content: `pack`, `action`. */
  type: string;
  /** Absolute. */
  file: string;
  /** From 1. */
  line?: number;
  /** Dotted: `parameters.count.type`. */
  field?: string;
  text: string;
}

/** The file that a failure is about. */
export type FailedFile = Pick<ContentFailure, 'pack' | 'type' | 'file'>;

export const failureOf = (file: FailedFile, { path, text }: Issue, content?: YamlContent): ContentFailure => ({
  ...file,
  ...(content ? { line: content.lineOf(path) } : {}),
  ...(path.length > 0 ? { field: fieldName(path) } : {}),
  text,
});

export function describeFailure({ pack, type, file, line, field, text }: ContentFailure): string {
  const place = [line === undefined ? '' : `line ${line}`, field === undefined ? '' : `field "${field}"`]
    .filter((part) => part !== '')
    .join(', ');
  return `Failed to register ${type} "${file}" from pack "${pack}": ${place === '' ? '' : `${place}: `}${text}`;
}
