import { BREAK, type TextCursor, TEXT_END, HEX_DIGIT, SPACE, TAG_PART, WHITE, WORD } from './cursor';

const HASH = 0x23;
const PERCENT = 0x25;
const DOT = 0x2e;
const BANG = 0x21;

/** Characters that may follow the name of an anchor without a space. */
const AFTER_NAME = '?:,]}%@`';

/** Reads the name after `&` or `*`, from that indicator. */
export function scanName(cursor: TextCursor): string {
  const start = cursor.place;
  const indicator = cursor.text[cursor.at++];
  const name = cursor.take(WORD);
  if (name === '' || !(cursor.is(WHITE) || AFTER_NAME.includes(String.fromCharCode(cursor.code())))) {
    cursor.fail(`expected a name of letters, digits, "-" and "_" after "${indicator}"`, start);
  }
  return name;
}

/** A tag as it is written: `!handle!suffix`, or `!<suffix>` without a handle. */
export interface WrittenTag {
  readonly handle: string | undefined;
  readonly suffix: string;
}

/** Reads a tag, from its `!`. */
export function scanTag(cursor: TextCursor): WrittenTag {
  const start = cursor.place;
  const tag = tagAt(cursor);
  if (!cursor.is(BREAK | TEXT_END) && cursor.code() !== SPACE) cursor.fail('expected a space after a tag', start);
  return tag;
}

function tagAt(cursor: TextCursor): WrittenTag {
  if (cursor.text[cursor.at + 1] === '<') {
    cursor.at += 2;
    const suffix = tagText(cursor);
    if (cursor.text[cursor.at] !== '>') cursor.fail('expected ">" after a tag');
    cursor.at++;
    return { handle: undefined, suffix };
  }
  if (cursor.is(WHITE, 1)) {
    cursor.at++;
    return { handle: undefined, suffix: '!' };
  }
  if (hasHandle(cursor)) return { handle: tagHandle(cursor), suffix: tagText(cursor) };
  cursor.at++;
  return { handle: '!', suffix: tagText(cursor) };
}

function hasHandle(cursor: TextCursor): boolean {
  for (let ahead = 1; !cursor.is(BREAK | TEXT_END, ahead) && cursor.code(ahead) !== SPACE; ahead++) {
    if (cursor.code(ahead) === BANG) return true;
  }
  return false;
}

function tagHandle(cursor: TextCursor): string {
  const start = cursor.at;
  if (cursor.code() !== BANG) cursor.fail('expected "!" at the start of a tag handle');
  cursor.at++;
  if (cursor.code() === SPACE) return '!';
  cursor.take(WORD);
  if (cursor.code() !== BANG) cursor.fail('expected "!" at the end of a tag handle');
  cursor.at++;
  return cursor.text.slice(start, cursor.at);
}

function tagText(cursor: TextCursor): string {
  let text = '';
  while (cursor.is(TAG_PART)) {
    if (cursor.code() === PERCENT) text += escapedBytes(cursor);
    else text += cursor.text[cursor.at++];
  }
  if (text === '') cursor.fail('expected the name of a tag');
  return text;
}

function escapedBytes(cursor: TextCursor): string {
  const bytes: number[] = [];
  while (cursor.code() === PERCENT) {
    if (!cursor.is(HEX_DIGIT, 1) || !cursor.is(HEX_DIGIT, 2)) cursor.fail('expected two hexadecimal digits after "%"');
    bytes.push(Number.parseInt(cursor.text.slice(cursor.at + 1, cursor.at + 3), 16));
    cursor.at += 3;
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes));
  } catch {
    return cursor.fail('found a tag that is not UTF-8');
  }
}

/** `%YAML 1.1` and `%TAG ! prefix`; others have no effect. */
export type Directive =
  | { readonly name: 'YAML'; readonly major: number }
  | { readonly name: 'TAG'; readonly handle: string; readonly prefix: string }
  | { readonly name: 'other' };

/** Reads a line that begins with `%`. */
export function scanDirective(cursor: TextCursor): Directive {
  cursor.at++;
  const name = cursor.take(WORD);
  if (name === '' || (!cursor.is(BREAK | TEXT_END) && cursor.code() !== SPACE)) {
    cursor.fail('expected the name of a directive after "%"');
  }
  const directive = directiveNamed(name, cursor);
  cursor.skip(SPACE);
  if (cursor.code() === HASH) cursor.toLineEnd();
  if (!cursor.is(BREAK | TEXT_END)) cursor.fail('expected the end of the line after a directive');
  cursor.takeBreak();
  return directive;
}

function directiveNamed(name: string, cursor: TextCursor): Directive {
  if (name === 'YAML') {
    cursor.skip(SPACE);
    const major = versionNumber(cursor);
    if (cursor.code() !== DOT) cursor.fail('expected a version such as 1.1');
    cursor.at++;
    versionNumber(cursor);
    return { name, major };
  }
  if (name === 'TAG') {
    cursor.skip(SPACE);
    const handle = tagHandle(cursor);
    if (cursor.code() !== SPACE) cursor.fail('expected a space after a tag handle');
    cursor.skip(SPACE);
    return { name, handle, prefix: tagText(cursor) };
  }
  cursor.toLineEnd();
  return { name: 'other' };
}

function versionNumber(cursor: TextCursor): number {
  const start = cursor.at;
  while (cursor.code() >= 0x30 && cursor.code() <= 0x39) cursor.at++;
  if (cursor.at === start) cursor.fail('expected a version such as 1.1');
  return Number(cursor.text.slice(start, cursor.at));
}
