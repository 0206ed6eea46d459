import { fault } from '@switchyard/base';
import type { Definitions } from '@switchyard/model';
import { literal } from './literal';

/**
 * A script with its arguments, as one text: named ones, then those with a position. A position without a value is null.
 * @param values the action's values @throws Fault `winrm.parameter-name`, `winrm.kwarg-op`
 */
export function scriptText(
  script: string,
  definitions: Definitions,
  values: Readonly<Record<string, unknown>>,
  kwargOp: string,
): string {
  // What stands there is no argument, but a part of the command.
  if (/[\s;|&(){}<>"'`$,@#\u2018-\u201E]/.test(kwargOp)) throw fault('winrm.kwarg-op', { kwargOp });
  const positionOf = (name: string): unknown =>
    Object.hasOwn(definitions, name) ? definitions[name]?.position : undefined;
  const isPositional = (name: string): boolean => typeof positionOf(name) === 'number';
  const names = Object.keys(values);
  const named = names.filter((name) => !isPositional(name)).map((name) => namedArgument(name, values[name], kwargOp));
  const positional = names
    .filter(isPositional)
    .toSorted((a, b) => Number(positionOf(a)) - Number(positionOf(b)))
    .map((name) => literal(values[name]));
  // The line break ends a comment on the last line of the script.
  return [`& {${script}\n}`, ...named, ...positional].join(' ');
}

function namedArgument(name: string, value: unknown, kwargOp: string): string {
  if (!/^[\p{L}\p{N}_?-]+$/u.test(name)) throw fault('winrm.parameter-name', { name });
  // A switch takes its value only in this form; other parameters take it as well.
  const link = typeof value === 'boolean' && kwargOp === '-' ? ':' : ' ';
  return `${kwargOp}${name}${link}${literal(value)}`;
}
