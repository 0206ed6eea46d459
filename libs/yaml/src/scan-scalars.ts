import { BLANK, BREAK, type TextCursor, TEXT_END, FLOW_MARK, HEX_DIGIT, isKind, SPACE, TAB, WHITE } from './cursor';

const HASH = 0x23;
const COLON = 0x3a;
const QUESTION = 0x3f;
const APOSTROPHE = 0x27;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Reads a scalar without quotes, which may span several lines. @param indent the smallest indentation of its other
 * lines, outside of brackets
 */
export function scanPlain(cursor: TextCursor, indent: number, inFlow: boolean): string {
  let text = '';
  let gap = '';
  for (;;) {
    const end = plainEnd(cursor, inFlow);
    if (end === cursor.at) return text;
    text += gap + cursor.text.slice(cursor.at, end);
    cursor.at = end;
    gap = plainGap(cursor, inFlow);
    if (gap === '' || cursor.code() === HASH || (!inFlow && cursor.column < indent)) return text;
  }
}

function plainEnd({ text, at }: TextCursor, inFlow: boolean): number {
  for (let end = at; ; end++) {
    const code = text.charCodeAt(end) | 0;
    if (isKind(code, WHITE)) return end;
    if (code === COLON) {
      const next = text.charCodeAt(end + 1) | 0;
      if (isKind(next, inFlow ? WHITE | FLOW_MARK : WHITE)) return end;
    } else if (inFlow && (code === QUESTION || isKind(code, FLOW_MARK))) return end;
  }
}

/** The text between two parts of a plain scalar; empty if the scalar ends. */
function plainGap(cursor: TextCursor, inFlow: boolean): string {
  const blanks = cursor.take(BLANK);
  if (blanks.includes('\t')) cursor.warnOfTab();
  const first = cursor.takeBreak();
  if (first === '') return blanks;
  let breaks = '';
  while (!cursor.atDocumentMark()) {
    if (cursor.is(BREAK)) breaks += cursor.takeBreak();
    else if (cursor.code() === SPACE) cursor.at++;
    else if (inFlow && cursor.code() === TAB) {
      cursor.warnOfTab();
      cursor.at++;
    } else return folded(first, breaks);
  }
  return '';
}

/** A single line break becomes a space; further ones are kept. */
const folded = (first: string, breaks: string): string => (first !== '\n' ? first : breaks === '' ? ' ' : '') + breaks;

/** Reads a scalar in quotes, from its first quote. Its lines need no indentation. */
export function scanQuoted(cursor: TextCursor): string {
  const quote = cursor.code();
  const isDouble = quote === QUOTE;
  const start = cursor.place;
  cursor.at++;
  let text = quotedWords(cursor, isDouble);
  while (cursor.code() !== quote) {
    const blanks = cursor.take(BLANK);
    if (cursor.is(TEXT_END)) cursor.fail('found the end of the file inside a quoted text', start);
    const first = cursor.takeBreak();
    text += first === '' ? blanks : folded(first, quotedBreaks(cursor));
    text += quotedWords(cursor, isDouble);
  }
  cursor.at++;
  return text;
}

function quotedWords(cursor: TextCursor, isDouble: boolean): string {
  let text = '';
  for (;;) {
    const start = cursor.at;
    while (!isQuotedStop(cursor.code())) cursor.at++;
    text += cursor.text.slice(start, cursor.at);
    const code = cursor.code();
    if (!isDouble && code === APOSTROPHE && cursor.code(1) === APOSTROPHE) {
      text += "'";
      cursor.at += 2;
    } else if (isDouble ? code === APOSTROPHE : code === QUOTE || code === BACKSLASH) {
      text += String.fromCharCode(code);
      cursor.at++;
    } else if (isDouble && code === BACKSLASH) text += scanEscape(cursor);
    else return text;
  }
}

const isQuotedStop = (code: number): boolean =>
  code === APOSTROPHE || code === QUOTE || code === BACKSLASH || isKind(code, WHITE);

function quotedBreaks(cursor: TextCursor): string {
  let breaks = '';
  for (;;) {
    if (cursor.atDocumentMark()) cursor.fail('found a document separator inside a quoted text');
    cursor.take(BLANK);
    if (!cursor.is(BREAK)) return breaks;
    breaks += cursor.takeBreak();
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\x07',
  b: '\b',
  t: '\t',
  '\t': '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\x1b',
  ' ': ' ',
  '"': '"',
  '\\': '\\',
  '/': '/',
  N: '\x85',
  _: '\xa0',
  L: '\u2028',
  P: '\u2029',
};

/** Numbers of hexadecimal digits. */
const CODE_LENGTHS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

function scanEscape(cursor: TextCursor): string {
  const start = cursor.place;
  const letter = String.fromCharCode(cursor.code(1));
  cursor.at++;
  if (cursor.takeBreak() !== '') return quotedBreaks(cursor);
  cursor.at++;
  const escaped = ESCAPES[letter];
  if (escaped !== undefined) return escaped;
  const length = CODE_LENGTHS[letter];
  if (length === undefined) cursor.fail(`found an unknown escape "\\${letter}" in a quoted text`, start);
  for (let ahead = 0; ahead < length; ahead++) {
    if (!cursor.is(HEX_DIGIT, ahead)) cursor.fail(`expected ${length} hexadecimal digits after "\\${letter}"`, start);
  }
  const code = Number.parseInt(cursor.text.slice(cursor.at, cursor.at + length), 16);
  if (code > 0x10ffff) cursor.fail('found an escape for a character that does not exist', start);
  cursor.at += length;
  return String.fromCodePoint(code);
}

const PLUS = 0x2b;
const MINUS = 0x2d;

/**
 * Reads a block after `|` or `>`, from that indicator.
 * @param parent the indentation of the collection around it
 */
export function scanBlock(cursor: TextCursor, parent: number, isFolded: boolean): string {
  cursor.at++;
  const { chomping, increment } = blockHeader(cursor);
  const least = Math.max(1, parent + 1);
  let breaks: string;
  let indent: number;
  if (increment === undefined) ({ breaks, indent } = blockIndentation(cursor, least));
  else {
    indent = least + increment - 1;
    breaks = blockBreaks(cursor, indent);
  }
  let text = '';
  let last = '';
  let isFirst = true;
  let wasIndented = false;
  while (cursor.column === indent && !cursor.is(TEXT_END)) {
    const isIndented = cursor.is(BLANK);
    if (!isFirst) {
      const joins = isFolded && last === '\n' && !wasIndented && !isIndented;
      if (!joins) text += last;
      else if (breaks === '') text += ' ';
    }
    const start = cursor.at;
    cursor.toLineEnd();
    text += breaks + cursor.text.slice(start, cursor.at);
    last = cursor.takeBreak();
    breaks = blockBreaks(cursor, indent);
    wasIndented = isIndented;
    isFirst = false;
  }
  if (chomping !== MINUS) text += last;
  return chomping === PLUS ? text + breaks : text;
}

function blockHeader(cursor: TextCursor): { chomping: number; increment: number | undefined } {
  let chomping = 0;
  let increment: number | undefined;
  const readChomping = (): void => {
    const code = cursor.code();
    if (chomping !== 0 || (code !== PLUS && code !== MINUS)) return;
    chomping = code;
    cursor.at++;
  };
  readChomping();
  const digit = cursor.code() - 0x30;
  if (digit >= 0 && digit <= 9) {
    if (digit === 0) cursor.fail('expected an indentation between 1 and 9 after "|" or ">"');
    increment = digit;
    cursor.at++;
  }
  readChomping();
  const isSeparate = cursor.is(WHITE);
  const blanks = cursor.take(BLANK);
  if (blanks.includes('\t')) cursor.warnOfTab();
  if (isSeparate && cursor.code() === HASH) cursor.toLineEnd();
  if (!cursor.is(BREAK | TEXT_END)) cursor.fail('expected a line break after "|" or ">"');
  cursor.takeBreak();
  return { chomping, increment };
}

/** Skips empty lines; the longest of them and the first line of text determine the indentation. */
function blockIndentation(cursor: TextCursor, least: number): { breaks: string; indent: number } {
  let breaks = '';
  let indent = least;
  for (;;) {
    if (cursor.is(BREAK)) breaks += cursor.takeBreak();
    else if (cursor.code() === SPACE) {
      cursor.at++;
      indent = Math.max(indent, cursor.column);
    } else return { breaks, indent };
  }
}

function blockBreaks(cursor: TextCursor, indent: number): string {
  let breaks = '';
  for (;;) {
    while (cursor.column < indent && cursor.code() === SPACE) cursor.at++;
    if (!cursor.is(BREAK)) return breaks;
    breaks += cursor.takeBreak();
  }
}
