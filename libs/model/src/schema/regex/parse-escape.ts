import { classEscapes, codePoint, controlEscape, literalPattern, placeEscapes } from './characters';
import type { PatternSource } from './pattern-source';
import type { PatternNode } from './syntax-tree';

/** Parses the rest of an escape outside of a class. */
export function parseEscape(source: PatternSource): PatternNode {
  const from = source.position - 1;
  const char = source.next() || source.fail('bad escape (end of pattern)', from);
  const place = placeEscapes[char];
  if (place !== undefined) return { kind: 'zero', js: place };
  if (/[1-9]/.test(char)) return reference(char + source.takeDigits(1), source, from + 1);
  return { kind: 'one', js: classEscapes[char] ?? characterEscape(char, source, from) };
}

/** Converts a class, from after its opening bracket to its closing one, to JavaScript with the flag `v`. */
export function parseClass(source: PatternSource): string {
  const from = source.position - 1;
  let out = source.take('^') ? '[^' : '[';
  let first = true;
  for (;;) {
    const at = source.position;
    const char = source.next() || source.fail('unterminated character set', from);
    if (char === ']' && !first) return `${out}]`;
    first = false;
    const member = classMember(char, source);
    const isRange = member.single && source.peek() === '-' && source.peek(1) !== ']' && source.peek(1) !== '';
    out += isRange ? `${member.js}-${rangeEnd(source, at)}` : member.js;
  }
}

interface Member {
  readonly js: string;
  /** A class such as `\w` cannot be an end of a range. */
  readonly single: boolean;
}

function classMember(char: string, source: PatternSource): Member {
  if (char !== '\\') return { js: literalPattern(char), single: true };
  const from = source.position - 1;
  const escape = source.next() || source.fail('bad escape (end of pattern)', from);
  const named = classEscapes[escape];
  if (named !== undefined) return { js: named, single: false };
  return { js: escape === 'b' ? '\\x08' : characterEscape(escape, source, from), single: true };
}

/** @param from the start of the range */
function rangeEnd(source: PatternSource, from: number): string {
  source.take('-');
  const member = classMember(source.next(), source);
  return member.single ? member.js : source.fail(`bad character range ${source.since(from)}`, from);
}

const hexLengths: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

function characterEscape(char: string, source: PatternSource, from: number): string {
  const control = controlEscape(char);
  if (control !== undefined) return control;
  const length = hexLengths[char];
  if (length !== undefined) return hexadecimal(source.takeHex(length, from), source, from);
  if (/[0-7]/.test(char)) return codePoint(Number.parseInt(char + source.takeOctal(2), 8));
  if (/[A-Za-z89]/.test(char)) source.fail(`bad escape \\${char}`, from);
  return literalPattern(char);
}

function hexadecimal(digits: string, source: PatternSource, from: number): string {
  const code = Number.parseInt(digits, 16);
  return code <= 0x10ffff ? codePoint(code) : source.fail(`bad escape ${source.since(from)}`, from);
}

function reference(digits: string, source: PatternSource, from: number): PatternNode {
  const number = Number(digits);
  if (number > source.groups) source.fail(`invalid group reference ${number}`, from);
  // The empty group separates the reference from a following digit.
  return { kind: 'backreference', js: `(?:\\${number})` };
}
