import { BLANK, BREAK, type TextCursor, TEXT_END, INDICATOR, SPACE, TAB, WHITE } from './cursor';
import { scanDirective, scanName, scanTag } from './scan-properties';
import { scanBlock, scanPlain, scanQuoted } from './scan-scalars';
import type { TextPlace, YamlToken, YamlTokenType } from './token';

/** The place where a key without `?` may have started. */
interface PossibleKey extends TextPlace {
  /** Whether only a key can start here. */
  readonly isRequired: boolean;
  /** Number of the key's first token. */
  readonly token: number;
  readonly at: number;
}

/** A key without `?` must end on its line, within this many characters. */
const LONGEST_KEY = 1024;
/** Nesting of brackets; no real file comes close. */
const MOST_NESTED = 500;

const BYTE_ORDER_MARK = 0xfeff;
const tokenAt = (type: YamlTokenType, place: TextPlace): YamlToken => ({
  type,
  line: place.line,
  column: place.column,
});

/**
 * Divides a text into tokens, by the rules of YAML 1.1 as PyYAML applies them. Blocks get a token at their start and at
 * their end, so the parser does not deal with indentation. A key is recognized by the `:` after it; its tokens are held
 * back until then.
 */
export class YamlScanner {
  private readonly tokens: YamlToken[] = [];
  /** The number of tokens returned so far. */
  private taken = 0;
  /** By the number of open brackets. */
  private readonly keys: (PossibleKey | undefined)[] = [];
  private readonly indents: number[] = [];
  private indent = -1;
  private open = 0;
  private mayBeKey = true;
  private isDone = false;

  constructor(private readonly cursor: TextCursor) {
    if (cursor.code() === BYTE_ORDER_MARK) {
      cursor.at++;
      cursor.startLineHere();
    }
  }

  peek(): YamlToken {
    while (this.needsMore()) this.scan();
    return this.tokens[0] as YamlToken;
  }

  next(): YamlToken {
    const token = this.peek();
    this.tokens.shift();
    this.taken++;
    return token;
  }

  private needsMore(): boolean {
    if (this.isDone) return false;
    if (this.tokens.length === 0) return true;
    this.dropStaleKeys();
    return this.keys.some((key) => key?.token === this.taken);
  }

  private scan(): void {
    const { cursor } = this;
    this.toNextToken();
    this.dropStaleKeys();
    this.closeBlocks(cursor.column);
    const code = cursor.code();
    if (code === 0) return this.end();
    if (cursor.column === 0) {
      if (code === 0x25) return this.directive();
      if (cursor.atDocumentMark()) return this.documentMark(code === 0x2d ? 'document-start' : 'document-end');
    }
    const character = String.fromCharCode(code);
    const isAlone = cursor.is(WHITE, 1);
    switch (character) {
      case '[':
      case '{':
        return this.openBracket(character);
      case ']':
      case '}':
        return this.closeBracket(character);
      case ',':
        return this.comma();
      case '-':
        if (isAlone) return this.dash();
        break;
      case '?':
        if (isAlone || this.open > 0) return this.key();
        break;
      case ':':
        if (isAlone || this.open > 0) return this.value();
        break;
      case '*':
        return this.named('alias');
      case '&':
        return this.named('anchor');
      case '!':
        return this.tag();
      case '|':
      case '>':
        if (this.open === 0) return this.block(character === '>');
        break;
      case "'":
      case '"':
        return this.quoted();
    }
    const mayBePlain = character === '-' || (this.open === 0 && (character === '?' || character === ':'));
    if (!cursor.is(INDICATOR) || (mayBePlain && !isAlone)) return this.plain();
    cursor.fail(`found the character "${character}", which cannot start a value: put the text in quotes`);
  }

  private toNextToken(): void {
    const { cursor } = this;
    for (;;) {
      cursor.skip(SPACE);
      const code = cursor.code();
      if (code === TAB) this.passTab();
      else if (code === 0x23) cursor.toLineEnd();
      else if (!cursor.is(BREAK)) return;
      else {
        cursor.takeBreak();
        if (this.open === 0) this.mayBeKey = true;
      }
    }
  }

  /** PyYAML rejects tabs between values. They are harmless outside of indentation. */
  private passTab(): void {
    const { cursor } = this;
    const { place, isAtIndentation } = cursor;
    cursor.take(BLANK);
    const isHarmless = this.open > 0 || !isAtIndentation || cursor.is(BREAK | TEXT_END) || cursor.code() === 0x23;
    if (!isHarmless) cursor.fail('found a tab in the indentation: use spaces', place);
    cursor.warn('tab', 'found a tab between two values: use spaces', place);
  }

  private push(type: YamlTokenType, place: TextPlace, more: Partial<YamlToken> = {}): void {
    this.tokens.push({ type, line: place.line, column: place.column, ...more });
  }

  private openBlock(type: 'block-sequence' | 'block-mapping', column: number, place: TextPlace): YamlToken | undefined {
    if (this.indent >= column) return undefined;
    this.indents.push(this.indent);
    this.indent = column;
    return tokenAt(type, place);
  }

  private closeBlocks(column: number): void {
    if (this.open > 0) return;
    while (this.indent > column) {
      this.indent = this.indents.pop() as number;
      this.push('block-end', this.cursor.place);
    }
  }

  private noteKey(): void {
    const { cursor, open } = this;
    const isRequired = open === 0 && this.indent === cursor.column;
    if (!this.mayBeKey) return;
    this.dropKey();
    const token = this.taken + this.tokens.length;
    this.keys[open] = { isRequired, token, at: cursor.at, ...cursor.place };
  }

  private dropKey(): void {
    const key = this.keys[this.open];
    if (key?.isRequired) this.failAtKey(key);
    this.keys[this.open] = undefined;
  }

  private dropStaleKeys(): void {
    const { cursor, keys } = this;
    for (let level = 0; level < keys.length; level++) {
      const key = keys[level];
      if (!key || (key.line === cursor.line && cursor.at - key.at <= LONGEST_KEY)) continue;
      if (key.isRequired) this.failAtKey(key);
      keys[level] = undefined;
    }
  }

  private failAtKey(key: PossibleKey): never {
    return this.cursor.fail('expected ":" after a key', key);
  }

  private end(): void {
    this.closeBlocks(-1);
    this.dropKey();
    this.keys.length = 0;
    this.isDone = true;
    this.push('end', this.cursor.place);
  }

  private directive(): void {
    const { place } = this.cursor;
    this.startOver();
    this.push('directive', place, { directive: scanDirective(this.cursor) });
  }

  private documentMark(type: 'document-start' | 'document-end'): void {
    const { place } = this.cursor;
    this.startOver();
    this.cursor.at += 3;
    this.push(type, place);
  }

  private startOver(): void {
    this.closeBlocks(-1);
    this.dropKey();
    this.mayBeKey = false;
  }

  private openBracket(type: '[' | '{'): void {
    this.noteKey();
    if (this.open >= MOST_NESTED) this.cursor.fail('it is nested too deeply');
    this.open++;
    this.mayBeKey = true;
    this.push(type, this.cursor.place);
    this.cursor.at++;
  }

  private closeBracket(type: ']' | '}'): void {
    if (this.open === 0) this.cursor.fail(`found "${type}" without an opening bracket`);
    this.dropKey();
    this.keys.length = this.open;
    this.open--;
    this.mayBeKey = false;
    this.push(type, this.cursor.place);
    this.cursor.at++;
  }

  private comma(): void {
    this.mayBeKey = true;
    this.dropKey();
    this.push(',', this.cursor.place);
    this.cursor.at++;
  }

  private dash(): void {
    this.beginEntry('block-sequence', 'found "-" where a list cannot start');
    this.mayBeKey = true;
    this.finishEntry('-');
  }

  private key(): void {
    this.beginEntry('block-mapping', 'found "?" where a key cannot start');
    this.mayBeKey = this.open === 0;
    this.finishEntry('key');
  }

  private value(): void {
    const key = this.keys[this.open];
    if (key) {
      this.keys[this.open] = undefined;
      const began: YamlToken[] = [tokenAt('key', key)];
      const block = this.open === 0 ? this.openBlock('block-mapping', key.column - 1, key) : undefined;
      if (block) began.unshift(block);
      this.tokens.splice(key.token - this.taken, 0, ...began);
      this.mayBeKey = false;
    } else {
      this.beginEntry('block-mapping', 'found ":" where a value cannot start: put texts with ": " in quotes');
      this.mayBeKey = this.open === 0;
      this.dropKey();
    }
    this.push('value', this.cursor.place);
    this.cursor.at++;
  }

  private beginEntry(type: 'block-sequence' | 'block-mapping', problem: string): void {
    if (this.open > 0) return;
    if (!this.mayBeKey) this.cursor.fail(problem);
    const block = this.openBlock(type, this.cursor.column, this.cursor.place);
    if (block) this.tokens.push(block);
  }

  private finishEntry(type: YamlTokenType): void {
    this.dropKey();
    this.push(type, this.cursor.place);
    this.cursor.at++;
  }

  private named(type: 'alias' | 'anchor'): void {
    this.noteKey();
    this.mayBeKey = false;
    const { place } = this.cursor;
    this.push(type, place, { text: scanName(this.cursor) });
  }

  private tag(): void {
    this.noteKey();
    this.mayBeKey = false;
    const { place } = this.cursor;
    this.push('tag', place, { tag: scanTag(this.cursor) });
  }

  private block(isFolded: boolean): void {
    this.mayBeKey = true;
    this.dropKey();
    const { place } = this.cursor;
    this.push('scalar', place, { text: scanBlock(this.cursor, this.indent, isFolded), isPlain: false });
  }

  private quoted(): void {
    this.noteKey();
    this.mayBeKey = false;
    const { place } = this.cursor;
    this.push('scalar', place, { text: scanQuoted(this.cursor), isPlain: false });
  }

  private plain(): void {
    const { cursor } = this;
    this.noteKey();
    this.mayBeKey = false;
    const { place } = cursor;
    const text = scanPlain(cursor, this.indent + 1, this.open > 0);
    // The scalar ends after the line break.
    if (cursor.isAtIndentation) this.mayBeKey = true;
    this.push('scalar', place, { text, isPlain: true });
  }
}
