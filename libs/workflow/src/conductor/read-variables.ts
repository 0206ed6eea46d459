import type { Values } from '../state/contexts';

/** `ctx(name)`, `ctx('name')` and `ctx().name`, where no call follows: those whose text says what they read. */
const NAMED = /(?<![.|]\s*)\bctx\(\s*(?:(\w+)\s*\)|'(\w+)'\s*\)|"(\w+)"\s*\)|\)\s*\.\s*(\w+)\b(?!\s*\())/g;
const ANY = /\bctx\b|\$__vars/;

/** What an expression reads of the variables: those that it names, or all where its text does not tell which. */
export function readVariables(expression: string, variables: Values): unknown[] {
  const names: string[] = [];
  const rest = expression.replace(NAMED, (_, ...[a, b, c, d]: (string | undefined)[]) => {
    names.push((a ?? b ?? c ?? d)!);
    return '';
  });
  const all = ANY.test(rest) ? Object.keys(variables) : names;
  return all.filter((name) => Object.hasOwn(variables, name)).map((name) => variables[name]);
}
