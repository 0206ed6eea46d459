import { readFileSync } from 'node:fs';
import { fault, messageOf } from '@switchyard/base';
import { throwProblem, type OnProblem } from './config-finding';
import type { Setting } from './settings';

/** The settings of a configuration file. @throws config.unreadable-file, config.syntax, unless `onProblem` handles them */
export function readConfigFile(path: string, onProblem = throwProblem): Setting[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    onProblem(fault('config.unreadable-file', { path, reason: messageOf(error) }, { cause: error }));
    return [];
  }
  return parseConfigText(text, path, onProblem);
}

/**
 * Reads the dialect of StackStorm's files, which common INI libraries do not read. A comment needs its own line, because
 * passwords and JSON may contain `;` and `#`. Dots do not nest. `:` separates like `=`. A more deeply indented line continues
 * the value above. Matching quotes around a value are dropped.
 */
export function parseConfigText(text: string, path: string, onProblem: OnProblem = throwProblem): Setting[] {
  const lines: Line[] = [];
  // Undefined below a broken header, whose options are not read.
  let section: string | undefined = 'DEFAULT';
  for (const [index, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const content = raw.trim();
    const number = index + 1;
    const above = lines.at(-1);
    if (content === '' || content.startsWith('#') || content.startsWith(';')) continue;
    const invalid = (problem: string) => onProblem(fault('config.syntax', { path, line: number, problem }));
    if (above && above.section === section && indentOf(raw) > above.indent) {
      above.parts.push(content);
    } else if (content.startsWith('[')) {
      section = sectionName(content);
      if (section === undefined) invalid('expected a section such as [name]');
    } else if (section !== undefined) {
      const line = newLine(content);
      if (line) lines.push({ ...line, section, number, indent: indentOf(raw) });
      else invalid('expected [section] or name = value');
    }
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

const sectionName = (content: string): string | undefined =>
  /^\[([^\]]+)\]\s*([#;].*)?$/.exec(content)?.[1]?.trim() || undefined;

function newLine(content: string): Pick<Line, 'option' | 'parts'> | undefined {
  const separator = content.search(/[=:]/);
  if (separator < 1) return undefined;
  return { option: content.slice(0, separator).trim(), parts: [content.slice(separator + 1).trim()] };
}

function unquoted(value: string): string {
  const quote = value[0];
  const isQuoted = value.length > 1 && (quote === '"' || quote === "'") && value.endsWith(quote);
  return isQuoted ? value.slice(1, -1) : value;
}
