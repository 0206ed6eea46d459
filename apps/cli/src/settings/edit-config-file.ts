import { existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { writePrivateFile } from '../credentials/private-file';

/**
 * Sets keys of one section (undefined removes one) and leaves everything else in the file as it is, comments too. A file
 * that is made anew can be read by its owner only.
 */
export function editConfigFile(
  path: string,
  section: string,
  keys: Readonly<Record<string, string | undefined>>,
): void {
  const before = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const after = editSection(before, section, keys);
  if (after === before) return;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // A link to a file elsewhere stays a link.
  writePrivateFile(existsSync(path) ? realpathSync(path) : path, after);
}

export function editSection(text: string, section: string, keys: Readonly<Record<string, string | undefined>>): string {
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  const start = lines.findIndex((line) => headerOf(line) === section);
  const set = Object.entries(keys).flatMap(([key, value]) => (value === undefined ? [] : [`${key} = ${value}`]));
  if (start < 0) {
    if (set.length === 0) return text;
    return [...lines, ...(lines.length ? [''] : []), `[${section}]`, ...set, ''].join('\n');
  }
  const next = lines.findIndex((line, index) => index > start && headerOf(line) !== undefined);
  const end = next < 0 ? lines.length : next;
  const kept = lines.slice(start + 1, end).filter((line) => !Object.hasOwn(keys, keyOf(line) ?? ''));
  return [...lines.slice(0, start + 1), ...set, ...kept, ...lines.slice(end), ''].join('\n');
}

const headerOf = (line: string): string | undefined => /^\s*\[([^\]]+)\]\s*$/.exec(line)?.[1]?.trim().toLowerCase();
const keyOf = (line: string): string | undefined => /^\s*([^=:\s#;]+)\s*[=:]/.exec(line)?.[1]?.toLowerCase();
