/**
 * Python's character classes in JavaScript (flag `v`). Python patterns on text are Unicode patterns: `\w` and `\d` include
 * letters and digits of every script, unless the flag `a` limits them to ASCII.
 */
const word = '\\p{L}\\p{N}_';
const asciiWord = 'A-Za-z0-9_';
const blank = '\\t-\\r\\x1c- \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';

/** One class escape, usable on its own and inside a class; undefined if there is none of that name. */
export const classEscape = (name: string, ascii: boolean): string | undefined => (ascii ? asciiClasses : classes)[name];

const classes: Readonly<Record<string, string>> = {
  w: `[${word}]`,
  W: `[^${word}]`,
  d: '\\p{Nd}',
  D: '\\P{Nd}',
  s: `[${blank}]`,
  S: `[^${blank}]`,
};

const asciiClasses: Readonly<Record<string, string>> = {
  w: `[${asciiWord}]`,
  W: `[^${asciiWord}]`,
  d: '[0-9]',
  D: '[^0-9]',
  s: '[\\t-\\r ]',
  S: '[^\\t-\\r ]',
};

/** Escapes that match a position. Python's `\Z` is the very end; its `\b` follows Unicode words. */
export function placeEscape(name: string, ascii: boolean): string | undefined {
  const inWord = `[${ascii ? asciiWord : word}]`;
  switch (name) {
    case 'A':
      return '^';
    case 'Z':
      return '$';
    case 'b':
      return `(?:(?<=${inWord})(?!${inWord})|(?<!${inWord})(?=${inWord}))`;
    case 'B':
      return `(?:(?<=${inWord})(?=${inWord})|(?<!${inWord})(?!${inWord}))`;
    default:
      return undefined;
  }
}

/** Python's `$`: at the end, or before a final line break; with `m`, before any line break. JavaScript's own `m` is never set. */
export const endOf = (multiline: boolean): string => (multiline ? '(?=\\n|$)' : '(?=\\n?$)');
export const startOf = (multiline: boolean): string => (multiline ? '(?:^|(?<=\\n))' : '^');
export const anyCharacter = (dotAll: boolean): string => (dotAll ? '[\\s\\S]' : '[^\\n]');

const controls: Readonly<Record<string, string>> = { a: '\x07', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };
/** The control character that an escape stands for. */
export const controlCharacter = (name: string): string | undefined => controls[name];

/** Escapes a literal character for JavaScript, outside and inside classes. */
export function literalPattern(char: string): string {
  // Outside of classes, the flags u and v allow only syntax characters after a backslash; a code point works everywhere.
  if (/[\^$\\.*+?()[\]{}|/]/.test(char)) return `\\${char}`;
  return /[-&!#%,:;<=>@`~\p{C}\p{Zl}\p{Zp}]/u.test(char) ? codePoint(char.codePointAt(0) as number) : char;
}

const codePoint = (code: number): string => `\\u{${code.toString(16)}}`;
