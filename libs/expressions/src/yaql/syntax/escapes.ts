import { characterNamed } from './character-names';

const ESCAPE = /\\(?:U([0-9a-fA-F]{8})|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([0-7]{1,3})|N\{([^}]+)\}|([\\'"abfnrtv]))/g;

const CONTROLS: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** The text that a quoted literal means; sequences that are no escapes keep their backslash. */
export const unescape = (body: string): string => (body.includes('\\') ? body.replace(ESCAPE, decoded) : body);

function decoded(
  all: string,
  long?: string,
  short?: string,
  hex?: string,
  octal?: string,
  name?: string,
  char?: string,
): string {
  if (name !== undefined) return characterNamed(name) ?? all;
  if (char !== undefined) return CONTROLS[char] ?? char;
  const code = octal === undefined ? Number.parseInt(long ?? short ?? hex ?? '', 16) : Number.parseInt(octal, 8);
  return code <= 0x10ffff ? String.fromCodePoint(code) : all;
}

/** Between backticks only an escaped backtick means something else. */
export const unescapeVerbatim = (body: string): string => body.replaceAll('\\`', '`');
