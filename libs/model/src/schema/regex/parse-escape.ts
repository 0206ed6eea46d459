import { classEscape, controlCharacter, placeEscape } from './characters';
import { literalIn, membersIn, rangeIn } from './letter-case';
import type { PatternSource } from './pattern-source';
import type { PatternNode } from './syntax-tree';

/** Parses the rest of an escape outside of a class. */
export function parseEscape(source: PatternSource): PatternNode {
  const from = source.position - 1;
  const char = source.next() || source.fail('bad escape (end of pattern)', from);
  const ascii = source.flags.has('a');
  const place = placeEscape(char, ascii);
  if (place !== undefined) return { kind: 'zero', js: place };
  if (/[1-9]/.test(char) && !startsOctal(char, source)) {
    return backreference(Number(char + source.takeDigits(1)), source, from + 1, from);
  }
  return { kind: 'one', js: classEscape(char, ascii) ?? literalIn(source, escapedCharacter(char, source, from)) };
}

/** Three octal digits are a character, also if the first one is not zero. */
const startsOctal = (char: string, source: PatternSource): boolean => /^[0-7]{3}/.test(char + source.upcoming(2));

/**
 * @param from the position to report
 * @param start the position to report for an open group
 */
export function backreference(group: number, source: PatternSource, from: number, start = from): PatternNode {
  if (group > source.groups) source.fail(`invalid group reference ${group}`, from);
  if (source.openGroups.has(group)) source.fail('cannot refer to an open group', start);
  if (source.spellsCase && source.flags.has('i')) {
    source.fail('a reference that ignores case, in a pattern of which only a part does, is not supported', from);
  }
  return { kind: 'backreference', group };
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
    const isRange = member.char !== undefined && source.peek() === '-' && !/^\]?$/.test(source.peek(1));
    if (member.char === undefined) out += member.js;
    else out += isRange ? rangeIn(source, member.char, rangeEnd(source, at)) : membersIn(source, member.char);
  }
}

/** A character, or a class such as `\w`, which cannot be an end of a range. */
type Member = { readonly char: string } | { readonly char?: undefined; readonly js: string };

function classMember(char: string, source: PatternSource): Member {
  if (char !== '\\') return { char };
  const from = source.position - 1;
  const escape = source.next() || source.fail('bad escape (end of pattern)', from);
  const js = classEscape(escape, source.flags.has('a'));
  if (js !== undefined) return { js };
  return { char: escape === 'b' ? '\b' : escapedCharacter(escape, source, from) };
}

/** @param from the start of the range */
function rangeEnd(source: PatternSource, from: number): string {
  source.take('-');
  return classMember(source.next(), source).char ?? source.fail(`bad character range ${source.since(from)}`, from);
}

const hexLengths: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

function escapedCharacter(char: string, source: PatternSource, from: number): string {
  const control = controlCharacter(char);
  if (control !== undefined) return control;
  const length = hexLengths[char];
  if (length !== undefined) return hexadecimal(source.takeHex(length, from), source, from);
  if (/[0-7]/.test(char)) return octal(char + source.takeOctal(2), source, from);
  if (/[A-Za-z89]/.test(char)) source.fail(`bad escape \\${char}`, from);
  return char;
}

function octal(digits: string, source: PatternSource, from: number): string {
  const code = Number.parseInt(digits, 8);
  if (code > 0o377) source.fail(`octal escape value \\${digits} outside of range 0-0o377`, from);
  return String.fromCodePoint(code);
}

function hexadecimal(digits: string, source: PatternSource, from: number): string {
  const code = Number.parseInt(digits, 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : source.fail(`bad escape ${source.since(from)}`, from);
}
