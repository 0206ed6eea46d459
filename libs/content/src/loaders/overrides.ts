import { join } from 'node:path';
import { isPlainObject } from '@switchyard/base';
import { issue, type Issue } from '../check/issue';
import { checkShape, type ShapeFields } from '../check/shape';
import { failureOf, type ContentFailure, type FailedFile, parseText, readText } from './read-content-file';

/** An administrator's overrides for a pack. */
export interface PackOverrides {
  /** @returns undefined when a kind has no overrides; else a function from resource name to the wanted state */
  of(plural: string): ((name: string) => boolean | undefined) | undefined;
}

export const noOverrides: PackOverrides = { of: () => undefined };

/** Kinds that can be overridden. */
const KINDS = ['actions', 'aliases', 'rules', 'sensors'];

type Section = { defaults?: { enabled?: boolean }; exceptions?: Record<string, { enabled?: boolean }> };
type Content = Record<string, Section>;

/**
 * Reads `_global.yaml` and `<pack>.yaml` from a directory. The latter takes precedence; both are optional.
 * @param files names of the files in that directory
 */
export function readOverrides(
  directory: string,
  files: readonly string[],
  pack: string,
): { overrides: PackOverrides } | { failures: ContentFailure[] } {
  const contents: Content[] = [];
  for (const name of ['_global.yaml', `${pack}.yaml`].filter((wanted) => files.includes(wanted))) {
    const read = readFileOf({ pack, type: 'override', file: join(directory, name) });
    if ('failures' in read) return read;
    contents.push(read.content);
  }
  return { overrides: contents.length === 0 ? noOverrides : overridesOf(contents) };
}

const overridesOf = (contents: readonly Content[]): PackOverrides => ({
  of(plural) {
    const sections = contents.map((content) => content[plural]).filter((section) => section !== undefined);
    if (sections.length === 0) return undefined;
    return (name) =>
      sections
        .flatMap(({ defaults, exceptions = {} }) => [
          defaults?.enabled,
          Object.hasOwn(exceptions, name) ? exceptions[name]?.enabled : undefined,
        ])
        .findLast((enabled) => enabled !== undefined);
  },
});

function readFileOf(file: FailedFile): { content: Content } | { failures: ContentFailure[] } {
  const read = readText(file);
  if ('failures' in read) return read;
  const parsed = parseText(file, read.text);
  if ('failures' in parsed) return parsed;
  const issues = checkContent(parsed.content);
  if (issues.length > 0) return { failures: issues.map((found) => failureOf(file, found, parsed.yaml)) };
  return { content: parsed.content as Content };
}

const state = { type: 'object', fields: { enabled: { type: 'boolean' } } } as const;
const section = { type: 'object', fields: { defaults: state, exceptions: { type: 'object' } } } as const;
const fields: ShapeFields = Object.fromEntries(KINDS.map((kind) => [kind, section]));

function checkContent(content: Record<string, unknown>): Issue[] {
  const issues = checkShape(content, { type: 'object', fields });
  const exceptions = Object.entries(content).flatMap(([kind, given]) => {
    const named = isPlainObject(given) && isPlainObject(given.exceptions) ? given.exceptions : {};
    return Object.entries(named).flatMap(([name, value]) => checkShape(value, state, [kind, 'exceptions', name]));
  });
  const clarify = ({ path, text }: Issue): Issue =>
    text.startsWith('Additional') && path.length > 2
      ? issue(path, `${text}; only "enabled" can be overridden`)
      : { path, text };
  return [...issues, ...exceptions].map(clarify);
}
