/** The kinds of a character; a character may have several. */
export const BREAK = 1;
export const BLANK = 2;
export const TEXT_END = 4;
/** Ends a token: a line break, a blank, or the end of the text. */
export const WHITE = BREAK | BLANK | TEXT_END;
/** May be part of the name of an anchor, a directive or a tag handle. */
export const WORD = 8;
/** May be part of a tag. */
export const TAG_PART = 16;
/** Delimits parts of lists and mappings in brackets. */
export const FLOW_MARK = 32;
/** Cannot start a plain scalar. */
export const INDICATOR = 64;
export const HEX_DIGIT = 128;

const kinds = new Uint8Array(0x1_0000);
const mark = (characters: string, kind: number): void => {
  for (const character of characters) kinds[character.charCodeAt(0)]! |= kind;
};
const letters = 'abcdefghijklmnopqrstuvwxyz';
const word = `0123456789${letters}${letters.toUpperCase()}-_`;
mark('\r\n\x85\u2028\u2029', BREAK);
mark(' \t', BLANK);
mark('\0', TEXT_END);
mark(word, WORD | TAG_PART);
mark(`;/?:@&=+$,.!~*'()[]%`, TAG_PART);
mark(',[]{}', FLOW_MARK);
mark(`-?:,[]{}#&*!|>'"%@\``, INDICATOR);
mark('0123456789abcdefABCDEF', HEX_DIGIT);

/** Whether the character with this code is of one of the kinds. */
export const isKind = (code: number, kind: number): boolean => (kinds[code]! & kind) !== 0;

export const TAB = 0x09;
export const SPACE = 0x20;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const LINE_SEPARATOR = 0x2028;
const DASH = 0x2d;
const DOT = 0x2e;

/** Why a text is not YAML as PyYAML reads it, or why one of its values is not JSON. */
export class YamlError extends Error {
  override readonly name = 'YamlError';

  constructor(
    message: string,
    /** From 1. */
    readonly line: number,
    /** From 1. */
    readonly column: number,
  ) {
    super(message);
  }
}

/** Something valid that its author may not have intended. */
export interface YamlWarning {
  readonly kind: 'duplicate-key' | 'key-not-text' | 'tab';
  readonly text: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
}

const MOST_WARNINGS = 100;

/** A position in a text that moves forward and counts lines. */
export class TextCursor {
  at = 0;
  /** From 1. */
  line = 1;
  private lineStart = 0;
  readonly warnings: YamlWarning[] = [];

  constructor(readonly text: string) {}

  /** The code of a character from the position; 0 after the end. */
  code(ahead = 0): number {
    return this.text.charCodeAt(this.at + ahead) | 0;
  }

  is(kind: number, ahead = 0): boolean {
    return isKind(this.code(ahead), kind);
  }

  /** From 0. */
  get column(): number {
    return this.at - this.lineStart;
  }

  get place(): { line: number; column: number } {
    return { line: this.line, column: this.column + 1 };
  }

  /** Skips the characters of a kind. @returns them */
  take(kind: number): string {
    const start = this.at;
    while (this.is(kind)) this.at++;
    return this.text.slice(start, this.at);
  }

  skip(code: number): void {
    while (this.code() === code) this.at++;
  }

  toLineEnd(): void {
    while (!this.is(BREAK | TEXT_END)) this.at++;
  }

  /** Skips a line break, if there is one. @returns `\n` for most of them */
  takeBreak(): string {
    const code = this.code();
    if (!isKind(code, BREAK)) return '';
    this.at += code === RETURN && this.code(1) === NEWLINE ? 2 : 1;
    this.line++;
    this.lineStart = this.at;
    return code >= LINE_SEPARATOR ? String.fromCharCode(code) : '\n';
  }

  /** Whether a line starts here with `---` or `...` by itself. */
  atDocumentMark(): boolean {
    const code = this.code();
    if ((code !== DASH && code !== DOT) || this.code(1) !== code || this.code(2) !== code) return false;
    return this.column === 0 && this.is(WHITE, 3);
  }

  /** The position as the start of the text: a byte order mark has no column. */
  startLineHere(): void {
    this.lineStart = this.at;
  }

  /** Whether the line has only blanks before the position. */
  get isAtIndentation(): boolean {
    for (let at = this.lineStart; at < this.at; at++) if (!isKind(this.text.charCodeAt(at), BLANK)) return false;
    return true;
  }

  fail(message: string, place = this.place): never {
    throw new YamlError(message, place.line, place.column);
  }

  warn(kind: YamlWarning['kind'], text: string, { line, column } = this.place): void {
    const last = this.warnings.at(-1);
    if (this.warnings.length >= MOST_WARNINGS || (kind === 'tab' && last?.kind === kind && last.line === line)) return;
    this.warnings.push({ kind, text, line, column });
  }

  warnOfTab(): void {
    this.warn('tab', 'found a tab between two values: use spaces');
  }
}
