import { readFileSync } from 'node:fs';
import { fault, messageOf } from '@switchyard/base';
import type { Setting } from './setting';

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
 * The dialect of the reference's files, which is not that of common INI libraries: a comment needs a line of its own
 * (passwords and JSON may contain `;` and `#`), a dot does not nest, `:` separates like `=`, a line indented
 * deeper goes on with the value above, matching quotes around a value are dropped.
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
  if (!name) throw fault('config.syntax', { path, line, problem: 'a section must read [name]' });
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
