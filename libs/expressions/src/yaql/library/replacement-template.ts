import { YaqlFailure } from '../values/failure';

const REFERENCE = /\\(?:g<([^>]*)>|([1-9]\d?)|([\s\S]))/g;

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '0': '\0',
  '\\': '\\',
};

/** Python's replacement text: `\1`, `\g<1>`, `\g<name>` and the usual escapes; a group that took no part is empty. */
export function expandTemplate(template: string, match: RegExpExecArray): string {
  if (!template.includes('\\')) return template;
  return template.replace(REFERENCE, (all, name?: string, number?: string, char?: string) => {
    if (char !== undefined) return ESCAPES[char] ?? (/[a-zA-Z]/.test(char) ? bad(`bad escape ${all}`) : all);
    const key = name ?? number ?? '';
    if (!/^\d+$/.test(key)) return namedGroup(match, key);
    const index = Number(key);
    return index < match.length ? (match[index] ?? '') : bad(`invalid group reference ${index}`);
  });
}

function namedGroup(match: RegExpExecArray, name: string): string {
  if (!Object.hasOwn(match.groups ?? {}, name)) {
    throw new YaqlFailure('IndexError', `unknown group name '${name}'`);
  }
  return match.groups?.[name] ?? '';
}

function bad(message: string): never {
  throw new YaqlFailure('error', message);
}
