import { fault, isPlainObject } from '@switchyard/base';
import { type ParameterDefinitions, pythonStr } from '@switchyard/model';

/**
 * Builds the text of a script call: named arguments first, then positional ones. A positional argument without a value is null.
 * @param values the action's values @throws Fault `winrm.parameter-name`, `winrm.kwarg-op`
 */
export function scriptText(
  script: string,
  definitions: ParameterDefinitions,
  values: Readonly<Record<string, unknown>>,
  kwargOp: string,
): string {
  // The text before a name is part of the command, not an argument.
  if (/[\s;|&(){}<>"'`$,@#\u2018-\u201E]/.test(kwargOp)) throw fault('winrm.kwarg-op', { kwargOp });
  const positionOf = (name: string): unknown =>
    Object.hasOwn(definitions, name) ? definitions[name]?.position : undefined;
  const isPositional = (name: string): boolean => typeof positionOf(name) === 'number';
  const names = Object.keys(values);
  const named = names.filter((name) => !isPositional(name)).map((name) => namedArgument(name, values[name], kwargOp));
  const positional = names
    .filter(isPositional)
    .toSorted((a, b) => Number(positionOf(a)) - Number(positionOf(b)))
    .map((name) => powershellLiteral(values[name]));
  // The line break ends a comment on the script's last line.
  return [`& {${script}\n}`, ...named, ...positional].join(' ');
}

function namedArgument(name: string, value: unknown, kwargOp: string): string {
  if (!/^[\p{L}\p{N}_?-]+$/u.test(name)) throw fault('winrm.parameter-name', { name });
  // Switches accept a value only in this form; other parameters accept it too.
  const link = typeof value === 'boolean' && kwargOp === '-' ? ':' : ' ';
  return `${kwargOp}${name}${link}${powershellLiteral(value)}`;
}

/** Formats a value as a PowerShell literal without expansion. */
export function powershellLiteral(value: unknown): string {
  if (value === null || value === undefined) return '$null';
  if (typeof value === 'boolean') return value ? '$true' : '$false';
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return `@(${value.map(powershellLiteral).join(', ')})`;
  if (isPlainObject(value)) return `@{${Object.entries(value).map(entry).join('; ')}}`;
  return quoted(pythonStr(value));
}

const entry = ([name, value]: [string, unknown]): string => `${quoted(name)} = ${powershellLiteral(value)}`;

/** PowerShell also accepts typographic double quotes as the end of a text. */
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
