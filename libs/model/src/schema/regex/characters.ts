/**
 * Python's character classes in JavaScript (flag `v`). Python patterns on text are Unicode patterns: `\w` and `\d` include
 * letters and digits of every script.
 */
const word = '\\p{L}\\p{N}_';
const blank = '\\s\\x1c-\\x1f\\x85';

/** One class escape, usable on its own and inside a class. */
export const classEscapes: Readonly<Record<string, string>> = {
  w: `[${word}]`,
  W: `[^${word}]`,
  d: '\\p{Nd}',
  D: '\\P{Nd}',
  s: `[${blank}]`,
  S: `[^${blank}]`,
};

const before = (inner: string): string => `(?<=[${word}])${inner}`;
/** Escapes that match a position. Python's `\Z` is the very end; its `\b` follows Unicode words. */
export const placeEscapes: Readonly<Record<string, string>> = {
  A: '^',
  Z: '$',
  b: `(?:${before(`(?![${word}])`)}|(?<![${word}])(?=[${word}]))`,
  B: `(?:${before(`(?=[${word}])`)}|(?<![${word}])(?![${word}]))`,
};

/** Python's `$`: at the end, or before a final line break; with `m`, before any line break. JavaScript's own `m` is never set. */
export const endOf = (multiline: boolean): string => (multiline ? '(?=\\n|$)' : '(?=\\n?$)');
export const startOf = (multiline: boolean): string => (multiline ? '(?:^|(?<=\\n))' : '^');
export const anyCharacter = (dotAll: boolean): string => (dotAll ? '[\\s\\S]' : '[^\\n]');

const controls: Readonly<Record<string, string>> = { a: '\\x07', f: '\\f', n: '\\n', r: '\\r', t: '\\t', v: '\\v' };
export const controlEscape = (name: string): string | undefined => controls[name];

/** Escapes a literal character for JavaScript, outside and inside classes. */
export const literalPattern = (char: string): string =>
  /[\^$\\.*+?()[\]{}|/\-&!#%,:;<=>@`~]/.test(char) ? escape(char) : char;

const escape = (char: string): string =>
  // Outside of classes, the flags u and v allow only syntax characters after a backslash; a code point works everywhere.
  /[\^$\\.*+?()[\]{}|/]/.test(char) ? `\\${char}` : codePoint(char.codePointAt(0) as number);

export const codePoint = (code: number): string => `\\u{${code.toString(16)}}`;
