import { readFileSync } from 'node:fs';
import { fault, messageOf } from '@switchyard/base';
import type { Setting } from './settings';

/** The settings of a configuration file. @throws config.unreadable-file, config.syntax */
export function readConfigFile(path: string): Setting[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw fault('config.unreadable-file', { path, reason: messageOf(error) }, { cause: error });
  }
  return parseConfigText(text, path);
}

/**
 * Reads the dialect of StackStorm's files, which common INI libraries do not read. A comment needs its own line, because
 * passwords and JSON may contain `;` and `#`. Dots do not nest. `:` separates like `=`. A more deeply indented line continues
 * the value above. Matching quotes around a value are dropped.
 */
export function parseConfigText(text: string, path: string): Setting[] {
  const lines: Line[] = [];
  let section = 'DEFAULT';
  for (const [index, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const content = raw.trim();
    const number = index + 1;
    const above = lines.at(-1);
    if (content === '' || content.startsWith('#') || content.startsWith(';')) continue;
    if (above?.section === section && indentOf(raw) > above.indent) above.parts.push(content);
    else if (content.startsWith('[')) section = sectionName(content, path, number);
    else lines.push({ ...newLine(content, path, number), section, number, indent: indentOf(raw) });
  }
  return lines.map(({ section, option, parts, number }) => {
    return { section, option, value: unquoted(parts.join('\n')), source: 'file', origin: `${path} line ${number}` };
  });
}

interface Line {
  readonly section: string;
  readonly option: string;
  readonly number: number;
  readonly indent: number;
  readonly parts: string[];
}

const indentOf = (raw: string): number => raw.length - raw.trimStart().length;

function sectionName(content: string, path: string, line: number): string {
  const name = /^\[([^\]]+)\]\s*([#;].*)?$/.exec(content)?.[1]?.trim();
  if (!name) throw fault('config.syntax', { path, line, problem: 'expected a section such as [name]' });
  return name;
}

function newLine(content: string, path: string, line: number): Pick<Line, 'option' | 'parts'> {
  const separator = content.search(/[=:]/);
  if (separator < 1) throw fault('config.syntax', { path, line, problem: 'expected [section] or name = value' });
  return { option: content.slice(0, separator).trim(), parts: [content.slice(separator + 1).trim()] };
}

function unquoted(value: string): string {
  const quote = value[0];
  const isQuoted = value.length > 1 && (quote === '"' || quote === "'") && value.endsWith(quote);
  return isQuoted ? value.slice(1, -1) : value;
}
