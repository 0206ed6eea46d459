import { existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf } from '@switchyard/base';
import { writePrivateFile } from '../credentials/private-file';
import { usageError } from '../exit-codes';
import { environmentValue, type CommandEnvironment } from '../terminal';

/** Keys by section, in lower case. */
export type ConfigSections = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface ConfigFile {
  readonly sections: ConfigSections;
  /** The file that remembers a login. */
  readonly path: string;
}

export interface ConfigFileChoice {
  readonly file?: string | undefined;
  readonly skip?: boolean | undefined;
}

/**
 * Reads `~/.svc/config`, and `~/.st2/config` for keys that the first file does not set. A file named explicitly is the only
 * one that is read, and must exist.
 */
export function readCliConfigFile(
  { env, home }: { env: CommandEnvironment; home: string },
  choice: ConfigFileChoice,
): ConfigFile {
  const own = join(home, '.svc', 'config');
  const named = choice.file ?? environmentValue(env, 'CONFIG_FILE');
  const path = named ?? own;
  if (choice.skip || Number(environmentValue(env, 'CLI_SKIP_CONFIG') ?? 0)) return { sections: {}, path };
  if (named !== undefined) {
    if (!existsSync(named)) throw usageError(`The configuration file ${named} does not exist.`);
    return { sections: readSections(named), path };
  }
  const files = [own, join(home, '.st2', 'config')].filter((file) => existsSync(file)).map(readSections);
  return { sections: merged(files), path };
}

function readSections(path: string): ConfigSections {
  try {
    return parseSections(readFileSync(path, 'utf8'));
  } catch (error) {
    throw usageError(`Cannot read the configuration file ${path}: ${messageOf(error)}`);
  }
}

/** All credentials come from the same file. */
function merged(files: readonly ConfigSections[]): ConfigSections {
  const sections: Record<string, Readonly<Record<string, string>>> = {};
  for (const file of files) {
    for (const [name, keys] of Object.entries(file)) {
      sections[name] = name === 'credentials' ? (sections[name] ?? keys) : { ...keys, ...sections[name] };
    }
  }
  return sections;
}

/**
 * Parses section headers in brackets and `key = value` (or `key: value`) lines. Comments are whole lines. Values are taken
 * literally: passwords contain `;`, `#`, `%` and quotes, which INI libraries treat as syntax.
 */
export function parseSections(text: string): ConfigSections {
  const sections: Record<string, Record<string, string>> = {};
  let current: Record<string, string> | undefined;
  text.split(/\r?\n/).forEach((line, index) => {
    if (/^\s*([#;]|$)/.test(line)) return;
    const header = /^\s*\[([^\]]+)\]\s*$/.exec(line)?.[1];
    const [, key, value] = /^\s*([^=:\s]+)\s*[=:]\s*(.*?)\s*$/.exec(line) ?? [];
    if (header !== undefined) current = sections[header.trim().toLowerCase()] ??= {};
    else if (current && key !== undefined) current[key.toLowerCase()] = value ?? '';
    else throw new Error(`line ${index + 1} is neither a [section] nor "key = value" in a section`);
  });
  return sections;
}

/**
 * Sets keys of one section (undefined removes a key) and keeps everything else in the file, including comments. Only its
 * owner can read a new file.
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
  // Keeps a symbolic link a link.
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
