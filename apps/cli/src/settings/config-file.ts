import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '@switchyard/base';
import { usageError } from '../exit-codes';
import { environmentValue, type Environment } from './environment';

/** Sections and their keys, in lower case. */
export type ConfigSections = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface ConfigFile {
  readonly sections: ConfigSections;
  /** Where a login is remembered. */
  readonly path: string;
}

export interface ConfigFileChoice {
  readonly file?: string | undefined;
  readonly skip?: boolean | undefined;
}

/**
 * Reads `~/.svc/config`, and `~/.st2/config` for what the first one does not say. A file that was named explicitly is the
 * only one, and has to exist.
 */
export function readConfigFile(
  { env, home }: { env: Environment; home: string },
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
    throw usageError(`The configuration file ${path} cannot be read: ${messageOf(error)}`);
  }
}

/** Credentials belong together: they come from one file only. */
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
 * Section headers in brackets and `key = value` (or `key: value`) lines; comments begin a line. Values are taken as they
 * stand: passwords hold `;`, `#`, `%` and quotes, which INI libraries treat as syntax.
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
    else throw new Error(`line ${index + 1} is neither a [section] nor "key = value" within one`);
  });
  return sections;
}
