/**
 * Python's classes of characters in JavaScript's terms (flag `v`). A Python pattern on text is a Unicode one: `\w` and
 * `\d` know letters and digits of every script.
 */
const word = '\\p{L}\\p{N}_';
const blank = '\\s\\x1c-\\x1f\\x85';

/** One class escape, usable by itself and inside a class. */
export const classEscapes: Readonly<Record<string, string>> = {
  w: `[${word}]`,
  W: `[^${word}]`,
  d: '\\p{Nd}',
  D: '\\P{Nd}',
  s: `[${blank}]`,
  S: `[^${blank}]`,
};

const before = (inner: string): string => `(?<=[${word}])${inner}`;
/** Escapes that match a place. Python's `\Z` is the very end; its `\b` goes by Unicode words. */
export const placeEscapes: Readonly<Record<string, string>> = {
  A: '^',
  Z: '$',
  b: `(?:${before(`(?![${word}])`)}|(?<![${word}])(?=[${word}]))`,
  B: `(?:${before(`(?=[${word}])`)}|(?<![${word}])(?![${word}]))`,
};

/** Python's `$`: at the end, or before a line break that ends the text; with `m` before any line break. JavaScript's own `m` is never set. */
export const endOf = (multiline: boolean): string => (multiline ? '(?=\\n|$)' : '(?=\\n?$)');
export const startOf = (multiline: boolean): string => (multiline ? '(?:^|(?<=\\n))' : '^');
export const anyCharacter = (dotAll: boolean): string => (dotAll ? '[\\s\\S]' : '[^\\n]');

const controls: Readonly<Record<string, string>> = { a: '\\x07', f: '\\f', n: '\\n', r: '\\r', t: '\\t', v: '\\v' };
export const controlEscape = (name: string): string | undefined => controls[name];

/** A character that stands for itself, spelled so that JavaScript reads it so, outside and inside classes. */
export const literal = (char: string): string =>
  /[\^$\\.*+?()[\]{}|/\-&!#%,:;<=>@`~]/.test(char) ? escape(char) : char;

const escape = (char: string): string =>
  // Outside a class the flags u and v allow only syntax characters behind a backslash; a code point works everywhere.
  /[\^$\\.*+?()[\]{}|/]/.test(char) ? `\\${char}` : codePoint(char.codePointAt(0) as number);

export const codePoint = (code: number): string => `\\u{${code.toString(16)}}`;
