import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(__dirname, '../..');

/** Reads a text file of the checkout by its path relative to the root. */
export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

export const readJson = <T>(path: string): T => JSON.parse(read(path)) as T;

export const exists = (path: string): boolean => existsSync(join(ROOT, path));

/** A package of the workspace. */
export interface Package {
  /** Without the scope. */
  readonly name: string;
  /** Relative to the root: `libs/base`. */
  readonly directory: string;
  readonly group: 'libs' | 'services' | 'apps';
}

export const packages: readonly Package[] = (['libs', 'services', 'apps'] as const).flatMap((group) =>
  readdirSync(join(ROOT, group))
    .map((name) => ({ name, directory: `${group}/${name}`, group }))
    .filter(({ directory }) => exists(`${directory}/package.json`)),
);

/** Files below a directory, relative to the root, without build output and installed packages. */
export function filesBelow(directory: string, pattern: RegExp): string[] {
  if (!exists(directory)) return [];
  return readdirSync(join(ROOT, directory), { withFileTypes: true }).flatMap((entry) => {
    const path = `${directory}/${entry.name}`;
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : filesBelow(path, pattern);
    return pattern.test(entry.name) ? [path] : [];
  });
}

const SKIPPED = new Set(['node_modules', 'dist', '.git', '.cache', 'coverage']);

export const sourcesOf = ({ directory }: Package): string[] => filesBelow(`${directory}/src`, /\.(tsx?|mjs|js)$/);

/** The rows of the first Markdown table below a heading, with the backticks around cells removed. */
export function tableBelow(page: string, heading: string): string[][] {
  const lines = page.split('\n');
  const from = lines.findIndex((line) => line.replace(/^#+ /, '') === heading && line.startsWith('#'));
  if (from < 0) throw new Error(`there is no heading "${heading}"`);
  const start = lines.findIndex((line, index) => index > from && line.startsWith('|'));
  const after = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
  return lines.slice(start + 2, after < 0 ? undefined : after).map(cells);
}

const cells = (line: string): string[] =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());

/** The code spans of a text. */
export const codes = (text: string): string[] =>
  [...text.replaceAll(/^```.*?^```/gms, '').matchAll(/`([^`]+)`/g)].map(([, code]) => code ?? '');
