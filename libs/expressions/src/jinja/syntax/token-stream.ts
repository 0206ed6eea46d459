import { describe, syntaxError, type Token, type TokenKind } from './token';

/** The tokens of a template, read from the front. */
export class TokenStream {
  private position = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  get current(): Token {
    return this.tokens[this.position] ?? { kind: 'eof', value: null };
  }

  get next(): Token {
    return this.tokens[this.position + 1] ?? { kind: 'eof', value: null };
  }

  is(kind: TokenKind, value?: string): boolean {
    return this.current.kind === kind && (value === undefined || this.current.value === value);
  }

  isOneOf(kind: TokenKind, values: readonly string[]): boolean {
    return this.current.kind === kind && values.includes(String(this.current.value));
  }

  take(): Token {
    const token = this.current;
    this.position += 1;
    return token;
  }

  /** Takes the token when it is this one. */
  skip(kind: TokenKind, value?: string): boolean {
    if (!this.is(kind, value)) return false;
    this.position += 1;
    return true;
  }

  expect(kind: TokenKind, value?: string): Token {
    if (this.is(kind, value)) return this.take();
    const expected = value ?? describe({ kind, value: kind });
    if (this.current.kind === 'eof') throw syntaxError(`unexpected end of template, expected '${expected}'.`);
    throw syntaxError(`expected token '${expected}', got '${describe(this.current)}'`);
  }

  expectName(): string {
    return String(this.expect('name').value);
  }

  unexpected(): never {
    throw syntaxError(`unexpected '${describe(this.current)}'`);
  }
}
