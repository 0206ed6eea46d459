import { isPlainObject } from '@switchyard/base';
import { pythonStr } from '@switchyard/model';

/** A value in the words of PowerShell, which holds nothing that PowerShell would look into (interface sheet "execution", section 14). */
export function literal(value: unknown): string {
  if (value === null || value === undefined) return '$null';
  if (typeof value === 'boolean') return value ? '$true' : '$false';
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return `@(${value.map(literal).join(', ')})`;
  if (isPlainObject(value)) return `@{${Object.entries(value).map(entry).join('; ')}}`;
  return quoted(pythonStr(value));
}

const entry = ([name, value]: [string, unknown]): string => `${quoted(name)} = ${literal(value)}`;

/** Typographic double quotes end a text as well as plain ones do. */
const quoted = (text: string): string =>
  `"${text.replace(/[`"$\u201C-\u201E\0\x07\b\f\n\r\t\v]/g, (char) => `\`${ESCAPES[char] ?? char}`)}"`;

const ESCAPES: Readonly<Record<string, string>> = {
  '\0': '0',
  '\x07': 'a',
  '\b': 'b',
  '\f': 'f',
  '\n': 'n',
  '\r': 'r',
  '\t': 't',
  '\v': 'v',
};
